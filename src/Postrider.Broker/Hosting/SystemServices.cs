using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Sockets;

namespace Postrider.Broker.Hosting;

/// <summary>Serves requests about the server and its accounts from the system account, and requests of other accounts about themselves.</summary>
/// <remarks>Subjects, options and responses are nats-server's. Source: nats-server, system account.</remarks>
internal sealed class SystemServices : IAsyncDisposable
{
    private const int BadRequest = 400;
    private const int Failed = 500;

    private static readonly TimeSpan FirstStatz = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan StatzInterval = TimeSpan.FromSeconds(10);
    private static readonly JsonWriterOptions JsonOptions = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly SessionContext _context;
    private readonly Account _system;
    private readonly SystemPages _pages;
    private readonly ServiceQueue _queue;
    private readonly Action _reload;
    private readonly Func<ulong, bool> _kickLeafNode;
    private readonly ITimer _statz;
    private TimeSpan _interval = FirstStatz;

    /// <summary>Creates the services.</summary>
    /// <param name="context">The broker's context.</param>
    /// <param name="system">The system account.</param>
    /// <param name="pages">The pages that the services respond with.</param>
    /// <param name="reload">Reloads the options; throws a <see cref="BrokerException"/> on failure.</param>
    /// <param name="kickLeafNode">Closes the leaf node connection with an id; false if there is none.</param>
    public SystemServices(SessionContext context, Account system, SystemPages pages, Action reload, Func<ulong, bool> kickLeafNode)
    {
        (_context, _system, _pages, _reload, _kickLeafNode) = (context, system, pages, reload, kickLeafNode);
        _queue = new ServiceQueue(context);
        _statz = context.Time.CreateTimer(_ => RepeatStatz(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    private string StatzSubject => $"$SYS.SERVER.{_context.Info.ServerId}.STATSZ";

    /// <summary>Begins to serve.</summary>
    public void Begin()
    {
        var id = _context.Info.ServerId;
        Offer("$SYS.REQ.SERVER.PING", Statz);
        foreach (var target in (ReadOnlySpan<string>)["PING", id])
        {
            Offer($"$SYS.REQ.SERVER.{target}.STATSZ", Statz);
            Offer($"$SYS.REQ.SERVER.{target}.IDZ", Identify);
            foreach (var page in SystemPages.OfServer) Offer($"$SYS.REQ.SERVER.{target}.{page}", request => Answer(request, _system, page, account: null));
        }
        foreach (var page in SystemPages.OfAccount) Offer($"$SYS.REQ.ACCOUNT.*.{page}", request => Answer(request, _system, page, request.Subject.Split('.')[3]));
        Offer("$SYS.REQ.ACCOUNT.*.CONNS", CountConnections);
        Offer($"$SYS.REQ.SERVER.{id}.KICK", request => Do(request, Kick));
        Offer($"$SYS.REQ.SERVER.{id}.LDM", request => Do(request, EnterLameDuckMode));
        Offer($"$SYS.REQ.SERVER.{id}.RELOAD", request => Do(request, Reload));
        Offer("$SYS.DEBUG.SUBSCRIBERS", CountSubscribers);
        _queue.Begin();
        _statz.Change(_interval, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Offers in an account the requests that its users may make about it.</summary>
    public void OfferIn(Account account)
    {
        if (account.IsSystem) return;
        foreach (var (subject, page) in (ReadOnlySpan<(string, string)>)[("$SYS.REQ.ACCOUNT.PING.CONNZ", "CONNZ"), ("$SYS.REQ.SERVER.PING.CONNZ", "CONNZ"), ("$SYS.REQ.ACCOUNT.PING.STATZ", "STATZ")])
            _queue.Offer(account, Encoding.UTF8.GetBytes(subject), request => Answer(request, account, page, account.Name));
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _statz.DisposeAsync().ConfigureAwait(false);
        await _queue.DisposeAsync().ConfigureAwait(false);
    }

    private void Offer(string subject, Action<ServiceRequest> serve) => _queue.Offer(_system, Encoding.UTF8.GetBytes(subject), serve);

    // More often at first, so that tools see a new server soon.
    private void RepeatStatz()
    {
        _context.Events?.Publish(StatzSubject, _pages.WriteStatz);
        _interval = _interval * 2 < StatzInterval ? _interval * 2 : StatzInterval;
        _statz.Change(_interval, Timeout.InfiniteTimeSpan);
    }

    private void Answer(ServiceRequest request, Account home, string page, string? account)
    {
        if (request.ReplyTo.Length == 0) return;
        try
        {
            var query = SystemQuery.Parse(request.Payload);
            if (!query.IsFor(_context)) return;
            var write = _pages.Read(page, query, account, out var problem);
            if (problem is not null) Reply(request, home, json => WriteError(json, Failed, problem, withData: true), compresses: false);
            else if (write is not null) Reply(request, home, json => WriteData(json, write), compresses: true);
        }
        catch (FormatException error)
        {
            Reply(request, home, json => WriteError(json, BadRequest, error.Message, withData: false), compresses: false);
        }
    }

    private void Do(ServiceRequest request, Func<SystemQuery, string?> act)
    {
        string? problem;
        var code = Failed;
        try
        {
            var query = SystemQuery.Parse(request.Payload);
            if (!query.IsFor(_context)) return;
            problem = act(query);
        }
        catch (FormatException error)
        {
            (problem, code) = (error.Message, BadRequest);
        }
        Reply(request, _system, json => WriteError(json, code, problem, withData: false), compresses: false);
    }

    private string? Kick(SystemQuery query)
    {
        var id = query.Unsigned("cid");
        if (_context.Sessions.Find(id) is { } session) session.End(ClosedState.Kicked, null);
        else if (!_kickLeafNode(id)) return "no such client or leafnode id";
        return null;
    }

    private string? EnterLameDuckMode(SystemQuery query)
    {
        if (_context.Sessions.Find(query.Unsigned("cid")) is not { } session) return "no such client id";
        if (!session.State.TakesInfo) return "client does not support Lame Duck Mode or is not ready to receive the notification";
        session.Connection.Outbox.Send(_context.RenderInfo(session, null, nonce: "", lameDuck: true));
        return null;
    }

    private string? Reload(SystemQuery query)
    {
        try
        {
            _reload();
            return null;
        }
        catch (BrokerException error)
        {
            return error.Message;
        }
    }

    // Without a reply subject it is sent to all subscribers of the statistics.
    private void Statz(ServiceRequest request)
    {
        var to = request.ReplyTo.Length == 0 ? StatzSubject : request.ReplyTo;
        try
        {
            if (SystemQuery.Parse(request.Payload).IsFor(_context)) Reply(request with { ReplyTo = to }, _system, _pages.WriteStatz, compresses: false);
        }
        catch (FormatException error)
        {
            Reply(request with { ReplyTo = to }, _system, json => WriteError(json, BadRequest, error.Message, withData: false), compresses: false);
        }
    }

    // Answered whatever the options are: tools use it to find servers.
    private void Identify(ServiceRequest request) => Reply(
        request,
        _system,
        json =>
        {
            json.WriteString("name", _context.Info.ServerName);
            json.WriteString("host", _context.Info.Host);
            json.WriteString("id", _context.Info.ServerId);
        },
        compresses: false);

    private void CountConnections(ServiceRequest request)
    {
        var name = request.Subject.Split('.')[3];
        if (_context.Accounts.Find(name) is not { Connections: > 0 } account) return;
        try
        {
            if (SystemQuery.Parse(request.Payload).Text("acc") is { Length: > 0 } asked && asked != name) return;
            Reply(request, _system, json => _context.Events!.WriteConnections(json, account), compresses: false);
        }
        catch (FormatException)
        {
            // Requests for other servers are not answered.
        }
    }

    private void CountSubscribers(ServiceRequest request)
    {
        var words = Encoding.UTF8.GetString(request.Payload).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        var count = words.Length == 0 ? 0 : _pages.CountSubscribers(_system.Name, words[0], words.Length > 1 ? words[1] : null);
        Send(_system, request.ReplyTo, [], Encoding.ASCII.GetBytes(count.ToString(System.Globalization.CultureInfo.InvariantCulture)));
    }

    private void WriteData(Utf8JsonWriter json, Action<Utf8JsonWriter> write)
    {
        ServerJson.Write(json, _context);
        json.WritePropertyName("data");
        write(json);
    }

    private void WriteError(Utf8JsonWriter json, int code, string? problem, bool withData)
    {
        ServerJson.Write(json, _context);
        if (withData) json.WriteNull("data");
        if (problem is null) return;
        json.WriteStartObject("error");
        json.WriteNumber("code", code);
        json.WriteString("description", problem);
        json.WriteEndObject();
    }

    private void Reply(ServiceRequest request, Account home, Action<Utf8JsonWriter> write, bool compresses)
    {
        if (request.ReplyTo.Length == 0) return;
        var text = new ArrayBufferWriter<byte>(1024);
        using (var json = new Utf8JsonWriter(text, JsonOptions))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }
        var (headers, payload) = ResponseEncoding.Encode(compresses ? AcceptedEncodings(request.Headers) : null, text.WrittenSpan);
        Send(home, request.ReplyTo, headers, payload);
    }

    private void Send(Account home, string replyTo, byte[] headers, byte[] payload)
    {
        if (replyTo.Length == 0) return;
        _context.Batches.Run((Subject: Encoding.UTF8.GetBytes(replyTo), headers, payload, home), static (it, batch)
            => InternalPublisher.Publish(it.home.Subscriptions, it.Subject, it.Subject, [], it.headers, it.payload, batch));
    }

    private static string? AcceptedEncodings(byte[] headers)
    {
        const string Name = "Accept-Encoding:";
        var line = Encoding.Latin1.GetString(headers).Split("\r\n").FirstOrDefault(static line => line.StartsWith(Name, StringComparison.OrdinalIgnoreCase));
        return line?[Name.Length..].Trim();
    }
}
