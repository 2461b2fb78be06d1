using System.Text.Json.Serialization;
using Postrider.Middleware;
using Postrider.Outbox;
using Postrider.Serialization;

namespace Postrider.OutboxTests.Harness;

internal sealed partial record OrderPlaced(long Number, [property: JsonIgnore] string? Of = null) : INotification, IKeyed
{
    public string Key => Of ?? "";
}

internal sealed partial record ShipOrder(long Number, string? Fault = null) : ICommand;

internal sealed partial record PlaceOrder(long Number, bool Fails) : ICommand, ITransactional;

internal sealed partial record CountOrders(string Of) : IQuery<long>;

internal static class OrderHandlers
{
    // One transaction by ITransactional: the order, and what is said about it.
    [Handler]
    public static async Task Place(PlaceOrder command, OutboxSession session, IDispatcher dispatcher, CancellationToken ct)
    {
        await InsertAsync(session, "orders", command.Number, ct);
        await dispatcher.PublishAsync(new OrderPlaced(command.Number, "k"), ct);
        if (command.Fails)
            throw new InvalidOperationException("The order is not placed.");
    }

    // Behind an inbox: the effect, and a message that follows.
    [Handler]
    public static async Task Ship(ShipOrder command, OutboxSession session, IDispatcher dispatcher, ShipLog log, CancellationToken ct)
    {
        log.Calls.Enqueue(command.Number);
        await InsertAsync(session, "handled", command.Number, ct);
        await dispatcher.PublishAsync(new OrderPlaced(command.Number, "shipped"), ct);
        if (log.Failing?.Invoke(command) == true)
            throw new InvalidOperationException("The ship is late.");
    }

    [Handler]
    public static long Count(CountOrders query) => query.Of.Length;

    private static async Task InsertAsync(OutboxSession session, string table, long number, CancellationToken ct)
    {
        await using var command = session.Connection.CreateCommand();
        command.Transaction = session.Transaction;
        command.CommandText = $"insert into {table} (number) values ({number})";
        await command.ExecuteNonQueryAsync(ct);
    }
}

internal sealed class ShipLog
{
    public System.Collections.Concurrent.ConcurrentQueue<long> Calls { get; } = new();

    public Func<ShipOrder, bool>? Failing { get; set; }
}

[JsonSerializable(typeof(OrderPlaced))]
[JsonSerializable(typeof(ShipOrder))]
[JsonSerializable(typeof(CountOrders))]
[JsonSerializable(typeof(long))]
internal sealed partial class OrdersJson : JsonSerializerContext
{
    public static ISerializerProvider Provider => new JsonSerializerProvider(Default);
}
