// The shop of docs/guide/rpc.md, what the web SDK imports on its own, and the calls of Grpc.AspNetCore.Web, which the tests do not reference.
global using Microsoft.AspNetCore.Builder;
global using Microsoft.AspNetCore.Hosting;
global using Microsoft.AspNetCore.Http;
global using Microsoft.AspNetCore.Routing;
global using Microsoft.Extensions.DependencyInjection;
global using Microsoft.Extensions.Hosting;
using System.Net;
using Google.Protobuf.Reflection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider;
using Postrider.Client;
using Postrider.MessagePack;
using Postrider.Rpc;

internal static class Surroundings
{
    public static readonly WebApplicationBuilder builder = null!;
    public static readonly WebApplication app = null!;
    public static readonly RpcCodec codec = null!;
    public static readonly RpcChannel channel = null!;
    public static readonly SocketServer server = null!;
    public static readonly EndPoint first = null!;
    public static readonly EndPoint second = null!;
    public static readonly CancellationToken ct = CancellationToken.None;
    public static readonly IOrders orders = null!;
    public static readonly IShop shop = null!;
    public static readonly IStock stock = null!;
    public static readonly Order order = null!;
    public static readonly CallContext context = null!;
    public static readonly NatsClient nats = null!;
    public static readonly IDispatcher dispatcher = null!;

    public static HealthCheckResult CheckStore() => HealthCheckResult.Healthy();

    public static IApplicationBuilder UseGrpcWeb(this IApplicationBuilder application) => application;

    public static TBuilder EnableGrpcWeb<TBuilder>(this TBuilder conventions) where TBuilder : IEndpointConventionBuilder => conventions;
}

internal static class ShopReflection
{
    public static FileDescriptor Descriptor => null!;
}

[Service("shop")]
public interface IShop
{
    ValueTask<Receipt> BuyAsync(Order order, CallContext? context = null);
}

public sealed class Shop : IShop
{
    public ValueTask<Receipt> BuyAsync(Order order, CallContext? context = null) => new(new Receipt(1));
}

[Service("till")]
public interface ITill
{
    ValueTask OpenDrawerAsync();

    ValueTask<int> CountAsync(CancellationToken ct = default);
}

public sealed class Till : ITill
{
    public ValueTask OpenDrawerAsync() => default;

    public ValueTask<int> CountAsync(CancellationToken ct = default) => new(1);
}

[Service("stock")]
public interface IStock
{
    IAsyncEnumerable<Price> WatchAsync(string pattern, CancellationToken ct = default);
}

[MessagePackObject]
public sealed record Price([property: Key(0)] decimal Euros);

public sealed record Book(string Title);

public enum Colour
{
    Red,
    Green,
}

public sealed class Files : IFiles
{
    public ValueTask<Stream> ReadAsync(string name) => new(Stream.Null);

    public ValueTask<int> WriteAsync(ReadOnlyMemory<byte> bytes) => new(bytes.Length);
}

public sealed record PlaceOrder(string Item, int Quantity) : IRequest<Receipt>;

public sealed record CancelOrder(int Number) : ICommand;

public sealed record ListOrders(string Customer) : IStreamRequest<Order>;

public sealed record OrderNoted(int Number) : INotification;

public sealed class Desk : IRequestHandler<PlaceOrder, Receipt>, ICommandHandler<CancelOrder>, IStreamRequestHandler<ListOrders, Order>, INotificationHandler<OrderNoted>
{
    public ValueTask<Receipt> Handle(PlaceOrder request, CancellationToken ct) => new(new Receipt(1));

    public ValueTask Handle(CancelOrder command, CancellationToken ct) => default;

    public async IAsyncEnumerable<Order> Handle(ListOrders request, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct)
    {
        await Task.Yield();
        yield return new Order(request.Customer, 1);
    }

    public ValueTask Handle(OrderNoted notification, CancellationToken ct) => default;
}
