"""`GET /token`: what whoever asks may do and spend."""

from decimal import Decimal
from typing import Any

from service.api.access.auth import TheCaller, guarded_router
from service.api.dependencies import TheService
from service.api.schemas.responses import Holder
from workers.accounts.tokens import Scope
from workers.records.tables import Token
from workers.status.budgets import Budget, budgets, budgets_of_token
from workers.status.problems import Problems

router = guarded_router(Scope.READ)


@router.get("/token", summary="What this token is for")
def show_token(service: TheService, caller: TheCaller) -> Holder:
    """Tell a token's name, scopes, and what is used and left of its budgets.

    With the scope `all` these are everybody's.
    """
    set_ = service.settings
    with service.reading() as session:
        token = session.get_one(Token, caller.token_id)
        if caller.sees is None:
            found = budgets(session, set_, Problems())
        else:
            found = budgets_of_token(session, set_, caller.sees)
        return Holder.model_validate(
            {
                "name": token.name,
                "scopes": sorted(caller.scopes),
                "expires_at": token.expires_at.isoformat() if token.expires_at else None,
                "budgets": [_row(one) for one in found],
            }
        )


def _row(budget: Budget) -> dict[str, Any]:
    return {
        "name": budget.name,
        "limit_usd": _usd(budget.limit_usd),
        "reserved_usd": _usd(budget.reserved_usd),
        "left_usd": _usd(budget.left_usd),
    }


def _usd(amount: Decimal | None) -> str | None:
    return None if amount is None else format(amount.normalize(), "f")
