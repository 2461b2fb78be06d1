using System.Text.Json.Serialization;
using Postrider.Middleware;

namespace Postrider.Benchmarks.Routing;

#pragma warning disable CA1812 // made by the generated code

/// <summary>What the rows of routing send.</summary>
internal sealed partial record Shipped(int Number, string Item) : INotification;

internal sealed partial record ShippedOnce(int Number, string Item) : INotification, IIdempotent
{
    [JsonIgnore] public string IdempotencyKey => Item;
}

internal sealed partial record Posted(int Number) : INotification;

internal sealed partial record Arrived(int Number, string Item) : INotification;

// Another message with a route, so that the containers beside it have one.
internal sealed partial record Elsewhere(int Number) : INotification;

internal sealed class ShippedHandler : INotificationHandler<Posted>, INotificationHandler<Arrived>
{
    public ValueTask Handle(Posted notification, CancellationToken ct)
    {
        Arrivals.Hit();
        return default;
    }

    public ValueTask Handle(Arrived notification, CancellationToken ct)
    {
        Arrivals.Hit();
        return default;
    }
}

[JsonSerializable(typeof(Shipped))]
[JsonSerializable(typeof(ShippedOnce))]
[JsonSerializable(typeof(Arrived))]
[JsonSerializable(typeof(Elsewhere))]
internal sealed partial class RoutingJson : JsonSerializerContext;
