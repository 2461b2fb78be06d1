using System.Diagnostics;
using System.Runtime.InteropServices;
using Postrider.Load.Native;

namespace Postrider.Load.Traffic;

/// <summary>Asks a server on behalf of several clients from one thread, one question under way per client.</summary>
internal sealed unsafe class AskLoop : IDisposable
{
    private static readonly TimeSpan SilenceLimit = TimeSpan.FromSeconds(30);

    private readonly Asker[] _askers;
    private readonly Poller _poller = new();
    private readonly List<long> _latencies = new(1 << 18);

    /// <param name="connections">One per client.</param>
    /// <param name="question">Makes the questions of a client; it gets the client's number and its inbox.</param>
    public AskLoop(Connection[] connections, Func<int, string, IQuestion> question)
    {
        _askers = new Asker[connections.Length];
        for (var i = 0; i < connections.Length; i++)
        {
            var inbox = $"_INBOX.loadgeneratorasks{i:0000}";
            connections[i].Subscribe(inbox + ".*", "1");
            connections[i].RoundTrip();
            _poller.Watch(connections[i].Descriptor, Posix.Readable, i);
            _askers[i] = new Asker(connections[i], question(i, inbox));
        }
    }

    /// <summary>When the last answer arrived (timestamp of <see cref="Stopwatch"/>).</summary>
    public long Finished { get; private set; }

    /// <summary>Ticks of <see cref="Stopwatch"/> per answered question, in no order.</summary>
    public ReadOnlySpan<long> Latencies => CollectionsMarshal.AsSpan(_latencies);

    public void Run(long deadline)
    {
        foreach (var asker in _askers)
            asker.Ask(Stopwatch.GetTimestamp());

        var open = _askers.Length;
        var last = Stopwatch.GetTimestamp();
        while (open > 0)
        {
            var ready = _poller.Wait(1000);
            if (ready == 0 && Stopwatch.GetElapsedTime(last) > SilenceLimit)
                throw new LoadException($"A question had no answer for {SilenceLimit.TotalSeconds} s.");

            for (var e = 0; e < ready; e++)
            {
                var asker = _askers[_poller.Token(e)];
                if (!asker.TakeAnswer())
                    continue;

                last = Stopwatch.GetTimestamp();
                _latencies.Add(last - asker.AskedAt);
                if (last < deadline)
                    asker.Ask(last);
                else
                    open--;
            }
        }

        Finished = last;
    }

    public void Dispose()
    {
        _poller.Dispose();
        foreach (var asker in _askers)
            asker.Dispose();
    }

    private sealed class Asker(Connection connection, IQuestion question) : IDisposable
    {
        private readonly MessageReader _reader = new(connection);

        public long AskedAt { get; private set; }

        public void Ask(long now)
        {
            var frame = question.Next();
            AskedAt = now;
            fixed (byte* bytes = frame)
            {
                if (Posix.Send(connection.Descriptor, bytes, (nuint)frame.Length, Posix.NoSignal) != frame.Length)
                    throw new LoadException($"A question could not be sent (errno {Marshal.GetLastPInvokeError()}).");
            }
        }

        public bool TakeAnswer()
        {
            if (!_reader.Fill() || !_reader.TryNext(out var message))
                return false;

            question.Check(message);
            return true;
        }

        public void Dispose() => _reader.Dispose();
    }
}
