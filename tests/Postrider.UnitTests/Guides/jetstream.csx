// The shop of docs/guide/jetstream.md.
using Microsoft.Extensions.DependencyInjection;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider;
using Postrider.Serialization;

internal static class Surroundings
{
    public static readonly NatsClient client = null!;
    public static readonly JetStreamContext streams = null!;
    public static readonly KeyValueContext keys = null!;
    public static readonly ObjectStoreContext objects = null!;
    public static readonly JetStreamStream orders = null!;
    public static readonly Order order = new("17");
    public static readonly string[] lines = [];
    public static readonly CancellationToken ct = CancellationToken.None;
    public static readonly Projection projection = new();
    public static readonly IServiceCollection services = null!;
    public static readonly IServiceProvider provider = null!;
    public static readonly ISerializerProvider serializers = null!;
    public static readonly Stream target = null!;

    public static Task BillAsync(Order order) => Task.FromResult(order);
}

public sealed record Order(string Id);

public sealed record PackOrder(string Id) : ICommand;

public sealed class Projection
{
    public void Apply(Order order) => _ = order;
}

public sealed class Packer : ICommandHandler<PackOrder>
{
    public ValueTask Handle(PackOrder command, CancellationToken ct) => default;
}
