using System.Globalization;
using System.Runtime.CompilerServices;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Dead letters of an <see cref="InMemoryTransport"/> without a listener.</summary>
/// <remarks>Thread-safe. The oldest ones are removed when there are too many.</remarks>
internal sealed class InMemoryDeadLetters(InMemoryTransport transport, string source) : IDeadLetters
{
    private const int MaxKept = 1_000;

    private readonly Queue<DeadLetterMessage> _kept = new();
    private readonly Lock _changing = new(); // guards _kept and _last
    private long _last;

    public string Source => source;

    public IAsyncEnumerable<DeadLetterMessage> ListAsync(DeadLetterQuery query, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        return query.SelectAsync(ReadAsync(ct), ct);
    }

    public async ValueTask<long> RedriveAsync(DeadLetterQuery query, CancellationToken ct = default)
    {
        var count = 0L;
        return await DeadLetterRedrive.RunAsync(this, query, transport.Time, SendBackAsync, SendAllAsync, ct).ConfigureAwait(false);

        async ValueTask<long> SendAllAsync(Func<DeadLetterMessage, ValueTask<bool>> trySend)
        {
            await foreach (var letter in ListAsync(query, ct).ConfigureAwait(false))
            {
                if (letter.Origin is not null)
                    await trySend(letter).ConfigureAwait(false);
            }

            return count;
        }

        async ValueTask SendBackAsync(DeadLetterMessage letter)
        {
            var origin = letter.Origin!;
            if (!transport.HasListener(origin))
                throw new PostriderException(PostriderError.NoListener, $"There is no listener at '{origin}' on transport '{transport.Name}'.");
            // Another redrive may have taken it first.
            if (!Remove(letter))
                return;
            await transport.OpenSender(origin).SendAsync(letter.ToMessage(), letter.Body, CancellationToken.None).ConfigureAwait(false);
            count++;
        }
    }

    public async ValueTask<long> PurgeAsync(DeadLetterQuery query, CancellationToken ct = default)
    {
        var count = 0L;
        await foreach (var letter in ListAsync(query, ct).ConfigureAwait(false))
            count += Remove(letter) ? 1 : 0;
        return count;
    }

    internal void Add(Headers headers, ReadOnlyMemory<byte> body)
    {
        lock (_changing)
        {
            if (_kept.Count == MaxKept)
                _kept.Dequeue();
            _kept.Enqueue(new DeadLetterMessage { Id = (++_last).ToString(CultureInfo.InvariantCulture), Source = source, Headers = headers, Body = body.ToArray(), StoredAt = transport.Time.GetUtcNow() });
        }
    }

    private async IAsyncEnumerable<DeadLetterMessage> ReadAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        DeadLetterMessage[] all;
        lock (_changing)
            all = [.. _kept];
        foreach (var letter in all)
        {
            ct.ThrowIfCancellationRequested();
            yield return letter;
        }

        await Task.CompletedTask.ConfigureAwait(false);
    }

    private bool Remove(DeadLetterMessage letter)
    {
        lock (_changing)
        {
            var before = _kept.Count;
            var left = _kept.Where(kept => !ReferenceEquals(kept, letter)).ToArray();
            _kept.Clear();
            foreach (var kept in left)
                _kept.Enqueue(kept);
            return left.Length < before;
        }
    }
}
