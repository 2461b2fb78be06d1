// The application under test, as docs/guide/testing.md names it.
using Microsoft.Extensions.Hosting;
using Postrider.Serialization;
using Postrider.Testing;

internal static class Surroundings
{
    public static readonly TestHarness harness = null!;
    public static readonly ISerializerProvider serializers = null!;
}

internal static class Shop
{
    public static void Configure(IHostApplicationBuilder builder) => builder.Environment.ApplicationName = "shop";
}

public sealed record PlaceOrder(string Item, int Quantity) : Postrider.ICommand;

public sealed record OrderPlaced(string Item) : Postrider.INotification;

public sealed class Desk : Postrider.ICommandHandler<PlaceOrder>
{
    public ValueTask Handle(PlaceOrder command, CancellationToken ct) => default;
}
