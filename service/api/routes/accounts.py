"""`GET /token`: scopes, limits and budgets of the caller."""

from service.api.dependencies import TheCaller, TheService, guarded_router
from service.results.status import Holder
from workers.accounts.tokens import Scope
from workers.records.tables import Token
from workers.status.budgets import Problems, account_budgets, budgets

router = guarded_router(Scope.READ)


@router.get("/token", summary="Show the token's scopes and budgets")
def show_token(service: TheService, caller: TheCaller) -> Holder:
    """Return a token's name, its scopes, and the used and remaining part of its budgets.

    With the scope `all`, the budgets are those of all tokens.
    """
    set_ = service.settings
    with service.reading() as session:
        token = session.get_one(Token, caller.token_id)
        rows = (
            budgets(session, set_, Problems())
            if caller.sees is None
            else account_budgets(session, set_, caller.sees)
        )
        return Holder.from_objects(token, scopes=sorted(caller.scopes), budgets=rows)
