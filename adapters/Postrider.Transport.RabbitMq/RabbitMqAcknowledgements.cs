using RabbitMQ.Client;

namespace Postrider.Transport.RabbitMq;

/// <summary>Acknowledges the messages of a channel, several with one frame where they are consecutive.</summary>
/// <remarks>
/// <para>Thread-safe. Acknowledgements are collected while the reader starts handlers, up to a limit, and sent when it waits. They are
/// sent by one caller at a time: the server closes a channel on which an acknowledgement covers nothing.</para>
/// <para>The channel has one consumer and no other reader, so its delivery tags are consecutive.</para>
/// </remarks>
/// <param name="channel">The channel of the deliveries.</param>
/// <param name="limit">The number of acknowledgements that are not held back any longer.</param>
internal sealed class RabbitMqAcknowledgements(IChannel channel, int limit)
{
    private readonly Lock _gate = new();

    // Tags above _settledUpTo that are settled, or acknowledged and waiting.
    private readonly HashSet<ulong> _settled = [];
    private List<ulong> _waiting = [];
    private TaskCompletionSource _sent = new();
    private ulong _settledUpTo;
    private bool _isSending;
    private bool _isReaderWaiting;

    /// <summary>Acknowledges a message.</summary>
    /// <returns>Completed when the acknowledgement has been sent.</returns>
    internal Task AcknowledgeAsync(ulong tag)
    {
        Task sent;
        lock (_gate)
        {
            _waiting.Add(tag);
            _settled.Add(tag);
            sent = _sent.Task;
            if (_isSending || (!_isReaderWaiting && _waiting.Count < limit)) return sent;
            _isSending = true;
        }

        _ = SendAsync();
        return sent;
    }

    /// <summary>Notes that a message was settled otherwise: rejected or returned.</summary>
    internal void Settled(ulong tag)
    {
        lock (_gate) _settled.Add(tag);
    }

    /// <summary>Sends what waits: the reader is going to wait. Until it continues, acknowledgements are sent at once.</summary>
    internal void ReaderWaits()
    {
        lock (_gate)
        {
            _isReaderWaiting = true;
            if (_isSending || _waiting.Count == 0) return;
            _isSending = true;
        }

        _ = SendAsync();
    }

    /// <summary>The reader continues.</summary>
    internal void ReaderContinues()
    {
        lock (_gate) _isReaderWaiting = false;
    }

    private async Task SendAsync()
    {
        while (Take() is var (tags, upTo, sent))
        {
            try
            {
                await SendAsync(tags, upTo).ConfigureAwait(false);
                sent.SetResult();
            }
            catch (Exception error)
            {
                // The handlers whose messages these are report it.
                sent.SetException(error);
            }
        }
    }

    // The tags that wait, and the tag up to which all are settled or among them. Null if none waits: then the caller no longer sends, and the
    // list belongs to the next one.
    private (List<ulong> Tags, ulong UpTo, TaskCompletionSource Sent)? Take()
    {
        lock (_gate)
        {
            _isSending = _waiting.Count > 0;
            if (!_isSending) return null;
            while (_settled.Remove(_settledUpTo + 1)) _settledUpTo++;
            var taken = (_waiting, _settledUpTo, _sent);
            (_waiting, _sent) = ([], new());
            return taken;
        }
    }

    private async ValueTask SendAsync(List<ulong> tags, ulong upTo)
    {
        ulong last = 0;
        var consecutive = 0;
        foreach (var tag in tags)
        {
            if (tag > upTo)
            {
                await channel.BasicAckAsync(tag, multiple: false).ConfigureAwait(false);
            }
            else
            {
                last = Math.Max(last, tag);
                consecutive++;
            }
        }

        if (consecutive > 0) await channel.BasicAckAsync(last, multiple: consecutive > 1).ConfigureAwait(false);
    }
}
