using System.Globalization;

namespace Postrider.Dispatch;

/// <summary>The routes of one container.</summary>
internal sealed class RouteTable(PipelineTable table, DispatchOptions options) : IRouteTable
{
    private Dictionary<string, Type>? _types;

    public IReadOnlyList<RouteDescription> Routes { get; } =
    [
        .. options.Routes
            .Select(static route => new RouteDescription(
                route.Key.ToString(), route.Value.Kind, route.Value.TransportName ?? "", route.Value.Destination, route.Value.Target.TimeToLive, route.Value.Target.Delay, route.Value.Source))
            .OrderBy(static route => route.Message, StringComparer.Ordinal),
    ];

    public string Explain(string message)
    {
        ArgumentNullException.ThrowIfNull(message);
        return (_types ??= ReadTypes()).TryGetValue(message, out var type)
            ? Explain(type)
            : throw new ArgumentException($"There is no message '{message}' in this container, neither with a handler nor with a route.", nameof(message));
    }

    public string Explain(Type messageType)
    {
        ArgumentNullException.ThrowIfNull(messageType);
        var handlers = table.LocalHandlers(messageType);
        if (table.RouteOf(messageType) is { } route)
        {
            var over = route.TransportName is { } name ? $"over the transport '{name}' " : "";
            var arriving = handlers.Count > 0
                ? $"Those that arrive through a binding go to {string.Join(", ", handlers)}."
                : "This container has no handler for it; one that arrives through a binding is passed on along the route.";
            return string.Create(CultureInfo.InvariantCulture, $"Every {route.Kind} {messageType} is sent {over}to '{route.Destination}', by {route.Source}. {arriving}");
        }

        return handlers.Count > 0
            ? $"{messageType} is not routed: it is handled in this process by {string.Join(", ", handlers)}."
            : typeof(INotification).IsAssignableFrom(messageType)
                ? $"{messageType} is not routed and has no handler in this container: publishing it does nothing."
                : $"{messageType} is not routed and has no handler in this container: sending it fails with NoHandler.";
    }

    private Dictionary<string, Type> ReadTypes()
    {
        var types = new Dictionary<string, Type>(StringComparer.Ordinal);
        foreach (var registration in table.Registrations())
            types[registration.Description.Message] = types[registration.MessageType.ToString()] = registration.MessageType;
        return types;
    }
}
