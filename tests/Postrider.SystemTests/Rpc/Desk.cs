using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>The implementation, which tells what happened to it.</summary>
internal sealed class Desk : IDesk
{
    private int _count;

    /// <summary>The texts of the one-way operation.</summary>
    public Channel<string> Notes { get; } = Channel.CreateUnbounded<string>();

    /// <summary>What began and was cancelled.</summary>
    public Channel<string> Events { get; } = Channel.CreateUnbounded<string>();

    public async ValueTask<Ticket> OpenAsync(Ticket ticket, CancellationToken ct = default)
    {
        await Task.Yield();
        Interlocked.Increment(ref _count);
        return ticket with { Subject = ticket.Subject.ToUpperInvariant() };
    }

    public Task<string> JoinAsync(string first, int times, string? separator = null)
        => Task.FromResult(string.Join(separator ?? "", Enumerable.Repeat(first, times)));

    public ValueTask<int> CountAsync() => new(Volatile.Read(ref _count));

    public ValueTask ClearAsync()
    {
        Volatile.Write(ref _count, 0);
        return default;
    }

    public ValueTask<int> BuyAsync(int count) => count switch
    {
        > 100 => throw new RpcFaultException<SoldOut>(new(100, "tea"), "Only 100 are left."),
        0 => throw new InvalidCastException($"Unable to cast object of type '{typeof(Ticket)}' to type '{typeof(SoldOut)}': secret."),
        < 0 => throw new RpcException(RpcStatus.Forbidden, "Nothing is taken back."),
        _ => new(count * 2),
    };

    public ValueTask<int> PriceAsync(int count) => BuyAsync(count);

    public ValueTask<string> EchoHeadersAsync(string name, CallContext context, CancellationToken ct = default)
    {
        context.ResponseHeaders["served-by"] = "desk";
        return new($"{context.Headers[name] ?? "none"} {(context.Timeout is { } time ? time.TotalMinutes <= 1 : null)}");
    }

    public async ValueTask<string> WaitAsync(CancellationToken ct = default)
    {
        Events.Writer.TryWrite("began");
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var registration = ct.UnsafeRegister(static state => ((TaskCompletionSource)state!).SetResult(), cancelled);
        await cancelled.Task;
        Events.Writer.TryWrite("cancelled");
        throw new OperationCanceledException(ct);
    }

    public ValueTask<string> WaitInTimeAsync(CallContext context, CancellationToken ct = default) => WaitAsync(ct);

    public ValueTask NoteAsync(string text)
    {
        Notes.Writer.TryWrite(text);
        return text == "bad" ? throw new InvalidOperationException("nobody hears this") : default;
    }

    public async IAsyncEnumerable<int> CountToAsync(int last, [EnumeratorCancellation] CancellationToken ct = default)
    {
        try
        {
            for (var i = 1; i <= last; i++)
            {
                if (i == 13)
                    throw new RpcException(RpcStatus.InvalidData, "13 is not counted.");
                yield return i;
                await Task.Yield();
            }

            for (var i = last; last < 0; i--)
            {
                yield return i;
                ct.ThrowIfCancellationRequested();
            }
        }
        finally
        {
            Events.Writer.TryWrite("left");
        }
    }

    public async Task<long> SumAsync(string label, IAsyncEnumerable<int> numbers, CancellationToken ct = default)
    {
        long sum = 0;
        await foreach (var number in numbers.WithCancellation(ct))
        {
            sum += number;
            if (number < 0)
                return sum;
        }

        return label == "twice" ? sum * 2 : sum;
    }

    public async IAsyncEnumerable<string> ShoutAsync(IAsyncEnumerable<string> words, [EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var word in words.WithCancellation(ct))
            yield return word.ToUpperInvariant();
    }

    public async IAsyncEnumerable<Ticket> SellAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await Task.Yield();
            yield return new Ticket(Guid.NewGuid(), $"line 1\nline {i}", ["!"]);
        }

        throw new RpcFaultException<SoldOut>(new(count, "tea"), "Sold out.");
    }

    public async IAsyncEnumerable<int> TickAsync(CallContext context, [EnumeratorCancellation] CancellationToken ct = default)
    {
        context.ResponseHeaders["served-by"] = "clock";
        for (var i = 1; ; i++)
        {
            yield return i;
            await Task.Delay(1, ct);
        }
    }

    public ValueTask<byte[]> EchoAsync(byte[] bytes) => new(bytes);
}
