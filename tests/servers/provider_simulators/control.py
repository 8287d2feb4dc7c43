"""How a simulated provider is looked into and told to fail, over HTTP."""

from tests.servers.provider_simulators.faults import Fault, Rule
from tests.servers.provider_simulators.protocol import Provider, Refusal, Request, Response, Route


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

    def lifted(request: Request) -> Response:
        fault = request.parameters["fault"]
        if fault not in list(Fault):
            raise Refusal(404, "NotFound", f"no fault {fault}")
        faults.lift(Fault(fault))
        return listed(request)

    def audit(_: Request) -> Response:
        return Response.of_json(provider.machine.audit())

    def fences(_: Request) -> Response:
        return Response.of_json(provider.fences())

    return [
        Route("GET", "/faults", "", listed),
        Route("POST", "/faults", "", added),
        Route("DELETE", "/faults", "", cleared),
        Route("DELETE", "/faults/{fault}", "", lifted),
        Route("GET", "/audit", "", audit),
        Route("GET", "/audit/fences", "", fences),
    ]
