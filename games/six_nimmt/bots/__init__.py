"""Who plays where no person does."""
