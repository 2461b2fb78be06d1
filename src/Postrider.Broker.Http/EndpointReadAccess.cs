using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;

namespace Postrider.Broker.Http;

/// <summary>The rule of a dashboard in an application: the endpoint's authorization decides; without any, only this machine reads.</summary>
internal sealed class EndpointReadAccess : IReadAccess
{
    /// <inheritdoc/>
    public bool IsOpen => false;

    /// <inheritdoc/>
    public async ValueTask<bool> IsAllowedAsync(HttpContext context, string page)
    {
        var metadata = context.GetEndpoint()?.Metadata;
        if (metadata?.GetMetadata<IAuthorizeData>() is not null || metadata?.GetMetadata<AuthorizationPolicy>() is not null || metadata?.GetMetadata<IAllowAnonymous>() is not null) return true;
        if (DashboardAccess.IsOfThisMachine(context)) return true;
        await MonitoringPages.TextAsync(
            context.Response,
            StatusCodes.Status403Forbidden,
            "The dashboard is shown only at localhost on its own machine, unless the application defines who may read it: MapPostriderDashboard().RequireAuthorization(...).\n").ConfigureAwait(false);
        return false;
    }
}
