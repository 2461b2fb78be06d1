using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using Postrider.MessagePack;
using Postrider.Rpc;

namespace Postrider.SystemTests.Guides;

/// <summary>The contract of docs/guide/rpc.md.</summary>
[Service("orders", Version = "1.0.0")]
public interface IOrders
{
    ValueTask<Receipt> PlaceAsync(Order order, CancellationToken ct = default);

    [Fault(typeof(SoldOut))]
    ValueTask<int> ReserveAsync(string item, int quantity);

    [OneWay]
    ValueTask NoteAsync(string text);

    IAsyncEnumerable<int> CountAsync(int last, CancellationToken ct = default);
}

[MessagePackObject]
public sealed record Order([property: Key(0)] string Item, [property: Key(1)] int Quantity);

[MessagePackObject]
public sealed record Receipt([property: Key(0)] int Number);

[MessagePackObject]
public sealed record SoldOut([property: Key(0)] int Left);

[MessagePackSerializable(typeof(Order))]
[MessagePackSerializable(typeof(Receipt))]
[MessagePackSerializable(typeof(SoldOut))]
public sealed partial class Messages : MessagePackContext;

[JsonSerializable(typeof(Order))]
[JsonSerializable(typeof(Receipt))]
[JsonSerializable(typeof(SoldOut))]
public sealed partial class MessagesJson : JsonSerializerContext;

public sealed class Orders : IOrders
{
    private int _number;

    public ValueTask<Receipt> PlaceAsync(Order order, CancellationToken ct = default) => new(new Receipt(Interlocked.Increment(ref _number)));

    public ValueTask<int> ReserveAsync(string item, int quantity)
        => quantity > 10 ? throw new RpcFaultException<SoldOut>(new(10), "Only 10 are left.") : new(quantity);

    public ValueTask NoteAsync(string text) => default;

    public async IAsyncEnumerable<int> CountAsync(int last, [EnumeratorCancellation] CancellationToken ct = default)
    {
        for (var i = 1; i <= last; i++)
        {
            await Task.Yield();
            yield return i;
        }
    }
}
