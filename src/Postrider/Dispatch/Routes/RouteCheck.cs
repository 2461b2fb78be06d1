using Microsoft.Extensions.DependencyInjection;
using Postrider.Transports;

namespace Postrider.Dispatch.Routes;

/// <summary>Checks the routes of a container when its host starts.</summary>
/// <param name="services">The container.</param>
/// <param name="routes">Its routes, by message type.</param>
/// <param name="validates">Whether a destination that is not there ends the start.</param>
internal sealed class RouteCheck(IServiceProvider services, IReadOnlyDictionary<Type, MessageRoute> routes, bool validates)
{
    /// <inheritdoc cref="IncomingMessages.CheckRoutesAsync"/>
    internal async ValueTask<IReadOnlyList<string>> CheckRoutesAsync(string name, ITransport transport, CancellationToken ct)
    {
        var problems = new List<string>();
        foreach (var (message, route) in routes.Where(route => route.Value.TransportName == name).OrderBy(static route => route.Key.FullName, StringComparer.Ordinal))
        {
            route.Check(transport, message);
            route.Open(services);
            if (await transport.FindProblemAsync(route.Target, ct).ConfigureAwait(false) is { } problem)
                problems.Add($"{message} is routed to '{route.Destination}' over the transport '{name}' by {route.Source}. {problem}");
        }

        return problems.Count > 0 && validates
            ? throw new PostriderException(PostriderError.NoListener, string.Join(Environment.NewLine, problems))
            : problems;
    }

    /// <summary>Rejects routes over transports that were not added.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a line for each.</exception>
    internal void CheckTransports()
    {
        if (services.GetService<IServiceProviderIsKeyedService>() is not { } known)
            return;
        var added = services.GetService<AddedTransports>();
        var missing = routes
            .Where(route => route.Value.TransportName is { } name && !known.IsKeyedService(typeof(ITransport), name))
            .Select(route => RouteWay.NotAdded(route.Key, route.Value.TransportName!, added).Message)
            .Order(StringComparer.Ordinal)
            .ToList();
        if (missing.Count > 0)
            throw new PostriderException(PostriderError.Configuration, string.Join(Environment.NewLine, missing));
    }
}
