using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Threading.Channels;
using Postrider.Broker.Accounts;
using Postrider.Broker.Monitoring;
using Postrider.Broker.Routing;

namespace Postrider.Broker.Sessions;

/// <summary>Publishes events of connections in the system account.</summary>
/// <remarks>Thread-safe. Events are published by one task, in their order. Nothing is written for a subject without interest.
/// Source: nats-server's events.</remarks>
internal sealed class SystemEvents : ISessionEvents
{
    // Each event contains the client's CONNECT: some kilobytes at most.
    private const int MaxWaiting = 4096;

    private const int IdLength = 22;

    // Published in the account of the client, which is the global one until the client is authenticated.
    private const string AccountFailureSubject = "$SYS.ACCOUNT.CLIENT.AUTH.ERR";

    private const string ConnectType = "io.nats.server.advisory.v1.client_connect";
    private const string DisconnectType = "io.nats.server.advisory.v1.client_disconnect";
    private const string ConnectionsType = "io.nats.server.advisory.v1.account_connections";

    private static readonly TimeSpan ConnectionsInterval = TimeSpan.FromSeconds(30);
    private static readonly JsonWriterOptions JsonOptions = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly Channel<Event> _waiting = Channel.CreateBounded<Event>(new BoundedChannelOptions(MaxWaiting) { SingleReader = true });

    // Guards the accounts whose number of connections is to be published.
    private readonly Lock _gate = new();
    private readonly HashSet<Account> _counted = [];
    private readonly SessionContext _context;
    private readonly Account _system;
    private readonly Func<Account, AccountState> _read;
    private readonly ITimer _timer;
    private readonly Task _publishing;
    private int _hasEnded;

    /// <summary>Starts to publish.</summary>
    /// <param name="context">The broker's context.</param>
    /// <param name="system">The system account.</param>
    /// <param name="read">Reads the state of an account.</param>
    public SystemEvents(SessionContext context, Account system, Func<Account, AccountState> read)
    {
        (_context, _system, _read) = (context, system, read);
        _timer = context.Time.CreateTimer(_ => RepeatConnections(), null, ConnectionsInterval, ConnectionsInterval);
        _publishing = Task.Run(PublishAsync);
    }

    /// <inheritdoc/>
    public void Connected(Account account, Func<EventConnection> read)
    {
        ConnectionsChanged(account);
        Publish($"$SYS.ACCOUNT.{account.Name}.CONNECT", json =>
        {
            WriteHead(json, ConnectType, _context.Time.GetUtcNow());
            ClientJson.Write(json, read(), stopped: null);
        });
    }

    /// <inheritdoc/>
    public void Disconnected(Account account, Func<EventConnection> read)
    {
        ConnectionsChanged(account);
        var subject = $"$SYS.ACCOUNT.{account.Name}.DISCONNECT";
        if (!HasInterest(_system, subject)) return;
        var last = read();
        PublishEnd(_system, subject, last, last.Info.StoppedAt ?? _context.Time.GetUtcNow(), last.Info.CloseReason ?? "");
    }

    /// <inheritdoc/>
    public void AuthenticationFailed(Account account, ClosedState end, Func<EventConnection> read)
    {
        var subject = $"$SYS.SERVER.{_context.Info.ServerId}.CLIENT.AUTH.ERR";
        if (!HasInterest(_system, subject) && !HasInterest(account, AccountFailureSubject)) return;
        var (last, now) = (read(), _context.Time.GetUtcNow());
        PublishEnd(account, AccountFailureSubject, last, now, end.ToText());
        PublishEnd(_system, subject, last, now, end.ToText());
    }

    /// <inheritdoc/>
    public void WriteConnections(Utf8JsonWriter json, Account account)
    {
        WriteHead(json, ConnectionsType, _context.Time.GetUtcNow());
        foreach (var (name, value) in AccountPages.Statistics(_read(account)))
        {
            json.WritePropertyName(name);
            value!.WriteTo(json);
        }
    }

    /// <inheritdoc/>
    public void Publish(string subject, Action<Utf8JsonWriter> write) => Publish(_system, subject, write);

    /// <inheritdoc/>
    public async Task ShutDownAsync()
    {
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0) return;
        await _timer.DisposeAsync().ConfigureAwait(false);
        _waiting.Writer.TryComplete();
        await _publishing.ConfigureAwait(false);
        Send(_system, Encoding.UTF8.GetBytes($"$SYS.SERVER.{_context.Info.ServerId}.SHUTDOWN"), Render(json => ServerJson.WriteMembers(json, _context)));
    }

    /// <inheritdoc/>
    public void EnterLameDuckMode() => Publish($"$SYS.SERVER.{_context.Info.ServerId}.LAMEDUCK", json => ServerJson.WriteMembers(json, _context));

    private void ConnectionsChanged(Account account)
    {
        if (ReferenceEquals(account, _context.Accounts.Global)) return;
        if (!HasInterest(_system, $"$SYS.ACCOUNT.{account.Name}.SERVER.CONNS") && !HasInterest(_system, $"$SYS.SERVER.ACCOUNT.{account.Name}.CONNS")) return;
        lock (_gate)
        {
            // One message covers all changes until it is written.
            if (!_counted.Add(account)) return;
        }
        Enqueue(new Event(_system, [], [], account));
    }

    private void RepeatConnections()
    {
        foreach (var account in _context.Accounts.All)
            if (account.Connections > 0 || _read(account).LeafNodes > 0) ConnectionsChanged(account);
    }

    private void Publish(Account account, string subject, Action<Utf8JsonWriter> write)
    {
        if (HasInterest(account, subject)) Enqueue(new Event(account, Encoding.UTF8.GetBytes(subject), Render(write), null));
    }

    private void PublishEnd(Account account, string subject, EventConnection last, DateTimeOffset stopped, string reason) => Publish(account, subject, json =>
    {
        WriteHead(json, DisconnectType, stopped);
        ClientJson.Write(json, last, stopped);
        // From the client's point of view.
        WriteTraffic(json, "sent", last.Info.InMessages, last.Info.InBytes);
        WriteTraffic(json, "received", last.Info.OutMessages, last.Info.OutBytes);
        json.WriteString("reason", reason);
    });

    private void WriteHead(Utf8JsonWriter json, string type, DateTimeOffset time)
    {
        json.WriteString("type", type);
        json.WriteString("id", Random.Shared.GetString("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", IdLength));
        json.WriteString("timestamp", time.UtcDateTime);
        ServerJson.Write(json, _context);
    }

    private static void WriteTraffic(Utf8JsonWriter json, string name, long messages, long bytes)
    {
        json.WriteStartObject(name);
        json.WriteNumber("msgs", messages);
        json.WriteNumber("bytes", bytes);
        json.WriteEndObject();
    }

    private static byte[] Render(Action<Utf8JsonWriter> write)
    {
        var text = new ArrayBufferWriter<byte>(1024);
        using (var json = new Utf8JsonWriter(text, JsonOptions))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }
        return text.WrittenSpan.ToArray();
    }

    private bool HasInterest(Account account, string subject) => Volatile.Read(ref _hasEnded) == 0 && account.HasInterest(Encoding.UTF8.GetBytes(subject));

    private void Enqueue(Event one)
    {
        if (_waiting.Writer.TryWrite(one) || Volatile.Read(ref _hasEnded) != 0) return;
        SessionLog.EventDropped(_context.Logger, one.Counted is null ? Encoding.UTF8.GetString(one.Subject) : one.Counted.Name);
        if (one.Counted is null) return;
        lock (_gate) _counted.Remove(one.Counted);
    }

    private async Task PublishAsync()
    {
        await foreach (var (account, subject, payload, counted) in _waiting.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            if (counted is null)
            {
                Send(account, subject, payload);
                continue;
            }
            lock (_gate) _counted.Remove(counted);
            var text = Render(json => WriteConnections(json, counted));
            Send(account, Encoding.UTF8.GetBytes($"$SYS.SERVER.ACCOUNT.{counted.Name}.CONNS"), text);
            Send(account, Encoding.UTF8.GetBytes($"$SYS.ACCOUNT.{counted.Name}.SERVER.CONNS"), text);
        }
    }

    private void Send(Account account, byte[] subject, byte[] payload)
        => _context.Batches.Run((account, subject, payload), static (it, batch) => InternalPublisher.Publish(it.account.Subscriptions, it.subject, it.payload, batch));

    // With an account whose connections are counted: the text is then written when its turn comes.
    private readonly record struct Event(Account Account, byte[] Subject, byte[] Payload, Account? Counted);
}
