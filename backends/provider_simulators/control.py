"""How a simulated provider is looked into and told to fail, over HTTP."""

from backends.provider_simulators.faults import Rule
from backends.provider_simulators.protocol import Provider, Refusal, Request, Response, Route


def control_routes(provider: Provider) -> list[Route]:
    """Return the routes that every simulated provider has beside its own."""
    faults = provider.faults

    def listed(_: Request) -> Response:
        return Response.of_json(faults.listed())

    def added(request: Request) -> Response:
        try:
            faults.add(Rule(**request.json()))
        except (TypeError, ValueError) as error:
            known = 'write {"fault": "slow-queue", "operation": "submit", "seconds": 60}'
            raise Refusal(400, "BadRequest", f"{known}, with times or probability") from error
        return Response.of_json(faults.listed())

    def cleared(_: Request) -> Response:
        faults.clear()
        return Response.of_json([])

    def audit(_: Request) -> Response:
        return Response.of_json(provider.machine.audit())

    return [
        Route("GET", "/faults", "", listed),
        Route("POST", "/faults", "", added),
        Route("DELETE", "/faults", "", cleared),
        Route("GET", "/audit", "", audit),
    ]
