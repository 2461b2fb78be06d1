using System.Text;
using Postrider.Load.Runs;

namespace Postrider.Load.Hostile;

/// <summary>The load that fills the server while the lanes measure: publishers that send as fast as their subscribers receive.</summary>
/// <remarks>
/// At most a block more than <see cref="WindowMessages"/> are under way on each pair of connections, so that the load follows what the server
/// gives: what it delivers beside hostile clients, compared with what it delivers alone, is the share that is left to the victim.
/// Messages are counted, not compared: one lost or doubled makes the sum wrong. What is in them is checked by the lanes.
/// </remarks>
internal sealed class BulkLoad : IDisposable
{
    private const int Pairs = 2;
    private const int PayloadBytes = 128;
    private const int BlockMessages = 256;
    private const int WindowMessages = 4096;
    private const int ReceiveMilliseconds = 200;

    private readonly Pair[] _pairs;
    private readonly CancellationToken _sending;

    public BulkLoad(int port, CancellationToken sending)
    {
        _sending = sending;
        _pairs = [.. Enumerable.Range(0, Pairs).Select(number => new Pair(port, number))];
    }

    /// <summary>Messages delivered so far.</summary>
    public long Delivered => _pairs.Sum(pair => pair.Received);

    /// <summary>Messages that were sent and did not arrive; below zero when more arrived.</summary>
    public long Missing => _pairs.Sum(pair => pair.Sent - pair.Received);

    public void Start(Team team)
    {
        foreach (var pair in _pairs)
        {
            team.Start("victim's bulk arrives", pair.Receive);
            team.Start("victim's bulk", ct => pair.Publish(_sending, ct));
        }
    }

    public bool IsSettled() => Missing <= 0;

    public void Dispose()
    {
        foreach (var pair in _pairs)
            pair.Dispose();
    }

    private sealed class Pair : IDisposable
    {
        private readonly ProtocolSocket _publisher;
        private readonly ProtocolSocket _subscriber;
        private readonly AutoResetEvent _room = new(false);
        private readonly byte[] _block;
        private readonly int _deliveredBytes;
        private long _sent;
        private long _received;

        public Pair(int port, int number)
        {
            _publisher = ProtocolSocket.Open(port, HostileConfiguration.Victim);
            _subscriber = ProtocolSocket.Open(port, HostileConfiguration.Victim);
            _subscriber.Send($"SUB v.bulk.{number} 1\r\nPING\r\n");
            while (_subscriber.TryRead(10_000, out var frame) && frame.Line != "PONG")
            {
                // INFO may come first.
            }

            var payload = new string('b', PayloadBytes);
            _block = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat($"PUB v.bulk.{number} {PayloadBytes}\r\n{payload}\r\n", BlockMessages)));
            _deliveredBytes = $"MSG v.bulk.{number} 1 {PayloadBytes}\r\n{payload}\r\n".Length;
        }

        public long Sent => Volatile.Read(ref _sent);

        public long Received => Volatile.Read(ref _received);

        public void Publish(CancellationToken sending, CancellationToken ct)
        {
            while (!sending.IsCancellationRequested && !ct.IsCancellationRequested)
            {
                if (_sent - Received > WindowMessages)
                {
                    _room.WaitOne(ReceiveMilliseconds);
                    continue;
                }

                _publisher.Send(_block);
                Volatile.Write(ref _sent, _sent + BlockMessages);
                if (!_publisher.IsIdle)
                    _publisher.TryRead(0, out _);
            }
        }

        public void Receive(CancellationToken ct)
        {
            while (!ct.IsCancellationRequested)
            {
                Volatile.Write(ref _received, _received + _subscriber.TakeMessages(ReceiveMilliseconds, _deliveredBytes));
                _room.Set();
            }
        }

        public void Dispose()
        {
            _publisher.Dispose();
            _subscriber.Dispose();
            _room.Dispose();
        }
    }
}
