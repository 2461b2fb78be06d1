using System.Runtime.CompilerServices;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>Delays deliveries: to a rate in bits per second, and to the intervals in which messages were stored.</summary>
/// <remarks>Guarded by the stream's lock. Times in nanoseconds since 1970.</remarks>
internal sealed class DeliveryThrottle
{
    private const long MinPause = 1_000_000;
    private const double NanosecondsPerSecond = 1e9;

    private double _bytesPerNanosecond;
    private double _burstBytes;
    private double _freeBytes;
    private long _countedAt;
    private ulong _replayUpTo;
    private long _lastTimestamp;
    private ulong _heldSequence;

    /// <summary>The time until which nothing is delivered; 0 for no delay.</summary>
    public long HeldUntil { get; private set; }

    /// <summary>Whether no delivery is delayed.</summary>
    public bool IsUnlimited
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _bytesPerNanosecond == 0 && _replayUpTo == 0;
    }

    /// <summary>Sets the rate.</summary>
    /// <param name="bitsPerSecond">0 = unlimited.</param>
    /// <param name="burstBytes">The largest message.</param>
    public void SetRate(ulong bitsPerSecond, long burstBytes)
    {
        _bytesPerNanosecond = bitsPerSecond / 8 / NanosecondsPerSecond;
        _burstBytes = _freeBytes = burstBytes;
        HeldUntil = 0;
    }

    /// <summary>Delivers messages up to a sequence at their original intervals.</summary>
    public void Replay(ulong upTo) => _replayUpTo = upTo;

    /// <summary>Whether a message has to wait, until <see cref="HeldUntil"/>.</summary>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="timestamp">When it was stored.</param>
    /// <param name="bytes">Its size.</param>
    /// <param name="now">The current time.</param>
    /// <param name="isFirst">Whether it is its first delivery: others have no interval.</param>
    public bool ShouldDelay(ulong sequence, long timestamp, int bytes, long now, bool isFirst)
    {
        if (!isFirst && _bytesPerNanosecond == 0) return false;
        if (now < HeldUntil) return true;
        HeldUntil = 0;
        return (isFirst && ShouldDelayReplay(sequence, timestamp, now)) || ShouldDelayRate(bytes, now);
    }

    private bool ShouldDelayReplay(ulong sequence, long timestamp, long now)
    {
        if (_replayUpTo == 0) return false;
        if (sequence > _replayUpTo)
        {
            _replayUpTo = 0;
            return false;
        }
        var pause = _lastTimestamp == 0 ? 0 : timestamp - _lastTimestamp;
        if (pause > MinPause && _heldSequence != sequence)
        {
            _heldSequence = sequence;
            HeldUntil = Clock.Add(now, pause);
            return true;
        }
        _lastTimestamp = timestamp;
        return false;
    }

    private bool ShouldDelayRate(int bytes, long now)
    {
        if (_bytesPerNanosecond == 0) return false;
        if (_countedAt != 0) _freeBytes = Math.Min(_burstBytes, _freeBytes + ((now - _countedAt) * _bytesPerNanosecond));
        _countedAt = now;
        var needed = Math.Min(bytes, _burstBytes);
        if (_freeBytes < needed)
        {
            HeldUntil = Clock.Add(now, (long)Math.Ceiling((needed - _freeBytes) / _bytesPerNanosecond));
            return true;
        }
        _freeBytes -= needed;
        return false;
    }
}
