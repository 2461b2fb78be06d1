using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Broker;
using Postrider.Broker.Accounts;
using Postrider.Broker.Sessions;
using Postrider.Sockets;
using Postrider.UnitTests.Time;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Broker.Sessions;

/// <summary>Sessions of one broker over in-memory connections, fed by the test's own thread.</summary>
internal sealed class SessionHarness
{
    private readonly SendBatchSet _batches;
    private readonly SessionContext _context;

    /// <param name="options">The broker's options.</param>
    /// <param name="turns">The clock of a connection's turns; without one they have no end in time.</param>
    /// <param name="logger">The broker's log; none if it is null.</param>
    public SessionHarness(BrokerOptions? options = null, TimeProvider? turns = null, ILogger? logger = null)
    {
        _batches = new SendBatchSet(turns ?? new TestClock());
        var chosen = options ?? new BrokerOptions();
        Accounts = AccountRegistry.Create(chosen);
        var info = new ServerInfo { ServerId = "NTEST", ServerName = "test", Version = "2.15.1", Headers = true, MaxPayload = chosen.MaxPayloadBytes };
        _context = new SessionContext(chosen, new BrokerCertificates(null, null, null, null), Accounts, info, _batches, logger ?? NullLogger.Instance);
        Batch = _batches.Rent();
    }

    public AccountRegistry Accounts { get; }

    public Account Account => Accounts.Global;

    public SendBatch Batch { get; }

    public SessionContext Context => _context;

    public Client Connect(string connect = """{"verbose":false,"pedantic":false,"headers":true,"no_responders":true}""")
    {
        var client = Open();
        client.Send($"CONNECT {connect}\r\n");
        return client;
    }

    public Client Open()
    {
        var (mine, theirs) = MemoryConnection.CreatePair(new SendBatchSet(), _batches, _context.Time);
        var received = new Receiver();
        mine.Start(received);
        var session = new ClientSession(theirs, _context);
        session.Start();
        return new Client(this, session, theirs, received);
    }

    internal sealed class Client(SessionHarness harness, ClientSession session, Connection connection, Receiver received)
    {
        private byte[] _kept = [];

        public ClientSession Session => session;

        public void Send(string text) => Send(Encoding.UTF8.GetBytes(text));

        public void Send(byte[] bytes)
        {
            byte[] input = [.. _kept, .. bytes];
            harness.Batch.Begin();
            var consumed = session.Receive(input, harness.Batch, out _);
            harness.Batch.End(connection);
            _kept = input[consumed..];
        }

        public async Task<string> ReadUntilAsync(string end) => await received.ReadUntilAsync(end);

        public async Task<string> ReadToEndAsync() => await received.ReadToEndAsync();

        /// <summary>What came until the answer to a PING, without INFO and PONG.</summary>
        public async Task<string> FlushAsync()
        {
            Send("PING\r\n");
            var text = await received.ReadUntilAsync("PONG\r\n");
            var lines = text.Split("\r\n").Where(static line => !line.StartsWith("INFO ", StringComparison.Ordinal));
            return string.Join("\r\n", lines)[..^"PONG\r\n".Length];
        }
    }

    internal sealed class Receiver : IReceiver
    {
        private readonly Lock _gate = new();
        private readonly List<byte> _bytes = [];
        private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private bool _closed;

        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            lock (_gate) _bytes.AddRange(input);
            Signal();
            return input.Length;
        }

        public void Closed(CloseReason reason, Exception? error)
        {
            lock (_gate) _closed = true;
            Signal();
        }

        public async Task<string> ReadUntilAsync(string end)
        {
            using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(20));
            while (true)
            {
                Task changed;
                lock (_gate)
                {
                    var text = Encoding.UTF8.GetString([.. _bytes]);
                    var place = text.IndexOf(end, StringComparison.Ordinal);
                    if (place >= 0)
                    {
                        var read = text[..(place + end.Length)];
                        _bytes.RemoveRange(0, Encoding.UTF8.GetByteCount(read));
                        return read;
                    }
                    Assert.False(_closed, $"The connection ended before '{end}': '{text}'");
                    changed = _changed.Task;
                }
                await changed.WaitAsync(timeout.Token);
            }
        }

        public async Task<string> ReadToEndAsync()
        {
            using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(20));
            while (true)
            {
                Task changed;
                lock (_gate)
                {
                    if (_closed) return Encoding.UTF8.GetString([.. _bytes]);
                    changed = _changed.Task;
                }
                await changed.WaitAsync(timeout.Token);
            }
        }

        private void Signal()
        {
            TaskCompletionSource before;
            lock (_gate)
            {
                before = _changed;
                _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            }
            before.TrySetResult();
        }
    }
}
