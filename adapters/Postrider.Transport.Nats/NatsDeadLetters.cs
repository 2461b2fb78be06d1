using System.Globalization;
using System.Runtime.CompilerServices;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>The dead letters of a subject, in the stream that stores it. The id of one is its sequence.</summary>
/// <remarks>Any subject may be asked for, so messages without <see cref="DeadLetterHeaders.Reason"/> are neither listed nor removed: they are
/// ordinary messages. A message whose id is given is returned in any case.</remarks>
internal sealed class NatsDeadLetters(NatsStreamTransport transport, string subject) : IDeadLetters
{
    // Error codes of a deletion that finds nothing, depending on the stream's storage.
    private const int SequenceNotFound = 10043;
    private const int DeleteFailed = 10057;

    public string Source => subject;

    public async IAsyncEnumerable<DeadLetterMessage> ListAsync(DeadLetterQuery query, [EnumeratorCancellation] CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(query);
        var stream = await OpenAsync(ct).ConfigureAwait(false);
        // The stream assigns the sequence.
        var page = query with { After = null };
        var letters = ReadAsync(stream, First(query), ct);
        await foreach (var letter in page.SelectAsync(query.Id is null ? letters.Where(IsDeadLetter) : letters, ct).ConfigureAwait(false))
            yield return letter;
    }

    // Every consumer of the subject gets it again: a stream does not record for which one it failed.
    public ValueTask<long> RedriveAsync(DeadLetterQuery query, CancellationToken ct = default)
        => DeadLetterRedrive.RunAsync(
            this,
            query,
            transport.Client.Options.TimeProvider,
            letter => transport.OpenSender(letter.Origin!).SendAsync(letter.ToMessage(), letter.Body, ct),
            trySend => TakeAsync(query, async letter => letter.Origin is not null && await trySend(letter).ConfigureAwait(false), ct),
            ct);

    public ValueTask<long> PurgeAsync(DeadLetterQuery query, CancellationToken ct = default) => TakeAsync(query, static letter => new(IsDeadLetter(letter)), ct);

    private async ValueTask<long> TakeAsync(DeadLetterQuery query, Func<DeadLetterMessage, ValueTask<bool>> take, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(query);
        var stream = await OpenAsync(ct).ConfigureAwait(false);
        var count = 0L;
        await foreach (var letter in ListAsync(query, ct).ConfigureAwait(false))
            count += await take(letter).ConfigureAwait(false) && await TryDeleteAsync(stream, letter).ConfigureAwait(false) ? 1 : 0;
        return count;
    }

    private static bool IsDeadLetter(DeadLetterMessage letter) => letter.Headers[DeadLetterHeaders.Reason] is not null;

    private static ulong First(DeadLetterQuery query)
        => Number(query.Id) ?? (Number(query.After) is { } after and < ulong.MaxValue ? after + 1 : 1);

    private static ulong? Number(string? id)
        => id is null ? null
            : ulong.TryParse(id, CultureInfo.InvariantCulture, out var sequence) ? sequence
            : throw new PostriderException(PostriderError.Configuration, $"Dead letter '{id}' is not a sequence of a stream.");

    private static async Task<bool> TryDeleteAsync(JetStreamStream stream, DeadLetterMessage letter)
    {
        try
        {
            await stream.DeleteMessageAsync(ulong.Parse(letter.Id, CultureInfo.InvariantCulture)).ConfigureAwait(false);
            return true;
        }
        catch (JetStreamException gone) when (gone.ErrorCode is JetStreamErrors.MessageNotFound or SequenceNotFound or DeleteFailed)
        {
            // Another reader has removed it.
            return false;
        }
    }

    private async IAsyncEnumerable<DeadLetterMessage> ReadAsync(JetStreamStream stream, ulong from, [EnumeratorCancellation] CancellationToken ct = default)
    {
        // Messages added meanwhile are not read, so that one that fails again does not loop.
        var last = stream.Info.State.LastSequence;
        while (from <= last && await stream.GetNextMessageAsync<ReadOnlyMemory<byte>>(subject, from, ct: ct).ConfigureAwait(false) is { } message && message.Sequence <= last)
        {
            yield return new DeadLetterMessage
            {
                Id = message.Sequence.ToString(CultureInfo.InvariantCulture),
                Source = message.Subject,
                Headers = NatsHeaderMapping.FromNats(message.Headers),
                Body = message.Data,
                StoredAt = message.Time,
            };
            from = message.Sequence + 1;
        }
    }

    private async ValueTask<JetStreamStream> OpenAsync(CancellationToken ct)
    {
        var name = await transport.Streams.FindStreamNameAsync(subject, ct).ConfigureAwait(false)
            ?? throw new PostriderException(PostriderError.NoListener, $"No stream has the subject '{subject}'.");
        return await transport.Streams.GetStreamAsync(name, ct: ct).ConfigureAwait(false);
    }
}
