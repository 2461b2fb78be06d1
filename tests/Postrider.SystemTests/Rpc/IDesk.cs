using System.Text.Json.Serialization;
using Postrider.MessagePack;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>One method of every kind that a contract can have.</summary>
[Service("desk", Version = "2.1.0")]
public interface IDesk
{
    ValueTask<Ticket> OpenAsync(Ticket ticket, CancellationToken ct = default);

    [Idempotent]
    Task<string> JoinAsync(string first, int times, string? separator = null);

    ValueTask<int> CountAsync();

    ValueTask ClearAsync();

    [Fault(typeof(SoldOut))]
    ValueTask<int> BuyAsync(int count);

    [Idempotent, Fault(typeof(SoldOut))]
    ValueTask<int> PriceAsync(int count);

    [Idempotent]
    ValueTask<string> EchoHeadersAsync(string name, CallContext context, CancellationToken ct = default);

    ValueTask<string> WaitAsync(CancellationToken ct = default);

    ValueTask<string> WaitInTimeAsync(CallContext context, CancellationToken ct = default);

    [OneWay]
    ValueTask NoteAsync(string text);

    IAsyncEnumerable<int> CountToAsync(int last, CancellationToken ct = default);

    Task<long> SumAsync(string label, IAsyncEnumerable<int> numbers, CancellationToken ct = default);

    IAsyncEnumerable<string> ShoutAsync(IAsyncEnumerable<string> words, CancellationToken ct = default);

    [Fault(typeof(SoldOut))]
    IAsyncEnumerable<Ticket> SellAsync(int count);

    IAsyncEnumerable<int> TickAsync(CallContext context, CancellationToken ct = default);

    ValueTask<byte[]> EchoAsync(byte[] bytes);
}

[MessagePackObject]
public sealed record Ticket([property: Key(0)] Guid Id, [property: Key(1)] string Subject, [property: Key(2)] List<string> Tags)
{
    // XmlSerializer makes objects before it reads their members.
    [SerializationConstructor]
    public Ticket()
        : this(Guid.Empty, "", [])
    {
    }
}

[MessagePackObject]
public sealed record SoldOut([property: Key(0)] int Left, [property: Key(1)] string Item)
{
    [SerializationConstructor]
    public SoldOut()
        : this(0, "")
    {
    }
}

[MessagePackSerializable(typeof(Ticket))]
[MessagePackSerializable(typeof(SoldOut))]
internal sealed partial class DeskMessages : MessagePackContext;

[JsonSerializable(typeof(Ticket))]
[JsonSerializable(typeof(SoldOut))]
internal sealed partial class DeskJson : JsonSerializerContext;
