using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Http;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Decides which pages of the dashboard may open a client connection.</summary>
/// <remarks>The connection's own credentials decide what the user may do, as for every client. This class ensures that no other site uses the
/// browser of a permitted user, and that the monitoring port does not bypass the requirements of the client port.</remarks>
internal sealed class DashboardAccess(IBrokerState state)
{
    /// <summary>The reason why a request's page may not act, before its origin is checked; null if it may.</summary>
    /// <param name="context">A request of the page.</param>
    internal string? FindProblem(HttpContext context)
    {
        var options = state.Options;
        if (!options.Monitoring.DashboardActions) return "Actions are switched off (MonitoringOptions.DashboardActions).";
        if (options.Tls is { Verify: true } or { VerifyAndMap: true })
            return "This broker identifies its clients by certificates, which the dashboard cannot present: use the command line.";
        var isLocal = IsOfThisMachine(context);
        if (!options.RequiresAuthentication || options.Authorization?.NoAuthUser is { Length: > 0 })
            return isLocal ? null : "This broker accepts clients without credentials, so actions are only allowed from pages opened at localhost on its own machine. Configure users, or open the dashboard there.";
        return isLocal || context.Request.IsHttps ? null : "Credentials must not be sent over a network unencrypted: serve the dashboard over HTTPS (https_port), or open it at localhost on the broker's machine.";
    }

    /// <summary>Whether a request comes from a page of this dashboard: a browser sends the page's origin.</summary>
    /// <param name="request">A request to open a connection.</param>
    internal static bool IsOwnPage(HttpRequest request)
        => Uri.TryCreate(request.Headers.Origin.ToString(), UriKind.Absolute, out var origin)
            && Uri.TryCreate($"{request.Scheme}://{request.Host}", UriKind.Absolute, out var own)
            && origin.Scheme == own.Scheme && origin.Port == own.Port && string.Equals(origin.IdnHost, own.IdnHost, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether a request comes from this machine: by its connection and by its host name, because the name of another
    /// site may be made to resolve to this machine.</summary>
    /// <param name="context">The request.</param>
    internal static bool IsOfThisMachine(HttpContext context)
    {
        if (context.Connection.RemoteIpAddress is not { } remote || !IPAddress.IsLoopback(remote.IsIPv4MappedToIPv6 ? remote.MapToIPv4() : remote)) return false;
        var host = context.Request.Host.Host.Trim('[', ']');
        return string.Equals(host, "localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(host, out var address) && address.AddressFamily is AddressFamily.InterNetwork or AddressFamily.InterNetworkV6 && IPAddress.IsLoopback(address));
    }
}
