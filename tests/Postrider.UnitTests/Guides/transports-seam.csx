// The messages and the container of docs/guide/transports-seam.md.
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Postrider;
using Postrider.MessagePack;
using Postrider.Serialization;

internal static class Surroundings
{
    public static readonly IServiceCollection services = null!;
    public static readonly IServiceProvider provider = null!;
    public static readonly ISerializerProvider serializers = null!;
}

[MessagePackObject]
public sealed record PlaceOrder([property: Key(0)] string Item) : IRequest<Receipt>;

public sealed record OrderPlaced(string Item) : INotification;

public sealed record Receipt(int Number);

[JsonSerializable(typeof(PlaceOrder))]
[JsonSerializable(typeof(OrderPlaced))]
[JsonSerializable(typeof(Receipt))]
internal sealed partial class OrdersJson : JsonSerializerContext;

[MessagePackSerializable(typeof(PlaceOrder))]
internal sealed partial class Messages : MessagePackContext;

public sealed class Desk : IRequestHandler<PlaceOrder, Receipt>, INotificationHandler<OrderPlaced>
{
    public ValueTask<Receipt> Handle(PlaceOrder request, CancellationToken ct) => new(new Receipt(1));

    public ValueTask Handle(OrderPlaced notification, CancellationToken ct) => default;
}
