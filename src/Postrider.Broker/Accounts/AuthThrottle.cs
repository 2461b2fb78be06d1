using System.Net;
using System.Net.Sockets;

namespace Postrider.Broker.Accounts;

/// <summary>Slows down addresses whose attempts to authenticate keep failing.</summary>
/// <remarks>Thread-safe. While no address has failures, an attempt costs one read of a counter. At most
/// <see cref="MaxSources"/> addresses are remembered; then the one that failed the longest ago is forgotten.</remarks>
/// <param name="options">The options; replaced by <see cref="Options"/>.</param>
/// <param name="time">The clock.</param>
internal sealed class AuthThrottle(AuthThrottleOptions options, TimeProvider time)
{
    /// <summary>Maximum number of addresses that are remembered.</summary>
    public const int MaxSources = 8192;

    // Forgiven within a minute, no matter how many there were: the address may belong to someone else by then.
    private const int MaxExcess = 60;

    private static readonly TimeSpan DelayPerFailure = TimeSpan.FromMilliseconds(100);

    // Guards the addresses below; no other lock is taken while it is held.
    private readonly Lock _gate = new();
    private readonly Dictionary<Source, Failures> _sources = [];

    // The last one failed most recently.
    private readonly LinkedList<Source> _order = new();
    private int _count;

    /// <summary>The options; a reload replaces them.</summary>
    public AuthThrottleOptions Options { get; set; } = options;

    /// <summary>Number of addresses that are remembered.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Begins an attempt.</summary>
    /// <param name="address">The client's address; null in the same process.</param>
    /// <param name="delay">How long it has to wait before its credentials are checked; where that is more than zero, by <see cref="WaitAsync"/>.</param>
    /// <returns>False when so many attempts of the address wait that this one is not even checked.</returns>
    public bool TryBegin(IPAddress? address, out TimeSpan delay)
    {
        delay = default;
        if (Count == 0 || address is null || !Options.Enabled) return true;
        lock (_gate)
        {
            if (!_sources.TryGetValue(Source.Of(address), out var failures)) return true;
            // A waiting attempt counts as a failed one, so that concurrent attempts wait longer and longer.
            var excess = Current(failures) + failures.Waiting - Options.FreeFailures;
            if (excess <= 0) return true;
            if (failures.Waiting >= Options.MaxWaiting) return false;
            delay = DelayPerFailure * Math.Min(Math.Ceiling(excess), Options.MaxDelay / DelayPerFailure);
            if (delay > TimeSpan.Zero) failures.Waiting++;
            return true;
        }
    }

    /// <summary>Waits for the delay that <see cref="TryBegin"/> returned.</summary>
    public async ValueTask WaitAsync(IPAddress? address, TimeSpan delay)
    {
        if (delay <= TimeSpan.Zero) return;
        await Task.Delay(delay, time).ConfigureAwait(false);
        lock (_gate)
        {
            if (_sources.TryGetValue(Source.Of(address!), out var failures) && failures.Waiting > 0) failures.Waiting--;
        }
    }

    /// <summary>Records a failed attempt.</summary>
    public void Failed(IPAddress? address)
    {
        if (!Options.Enabled || address is null || IsExempt(address)) return;
        var source = Source.Of(address);
        lock (_gate)
        {
            if (!_sources.TryGetValue(source, out var failures))
            {
                RemoveForgivenLocked();
                if (_sources.Count >= MaxSources) RemoveFirstLocked();
                _sources[source] = failures = new Failures { Place = _order.AddLast(source) };
            }
            else
            {
                _order.Remove(failures.Place);
                _order.AddLast(failures.Place);
            }
            failures.Count = Math.Min(Current(failures) + 1, Options.FreeFailures + MaxExcess);
            failures.At = time.GetTimestamp();
            Volatile.Write(ref _count, _sources.Count);
        }
    }

    private bool IsExempt(IPAddress address)
    {
        var plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        foreach (var network in Options.Exempt)
            if (network.Contains(plain)) return true;
        return false;
    }

    private double Current(Failures failures) => Math.Max(0, failures.Count - time.GetElapsedTime(failures.At).TotalSeconds);

    // Removes two for each new one, so that the table empties itself as it is used.
    private void RemoveForgivenLocked()
    {
        for (var i = 0; i < 2 && _order.First is { } first && _sources[first.Value] is { Waiting: 0 } failures && Current(failures) <= 0; i++) RemoveFirstLocked();
    }

    private void RemoveFirstLocked()
    {
        _sources.Remove(_order.First!.Value);
        _order.RemoveFirst();
    }

    private sealed class Failures
    {
        public required LinkedListNode<Source> Place { get; init; }

        public double Count { get; set; }

        public long At { get; set; }

        public int Waiting { get; set; }
    }

    // An IPv4 address, or the first 64 bits of an IPv6 address, which identify a site.
    private readonly record struct Source(AddressFamily Family, ulong Bits)
    {
        public static Source Of(IPAddress address)
        {
            var plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
            Span<byte> bytes = stackalloc byte[16];
            bytes.Clear();
            plain.TryWriteBytes(bytes, out _);
            return new Source(plain.AddressFamily, System.Buffers.Binary.BinaryPrimitives.ReadUInt64BigEndian(bytes));
        }
    }
}
