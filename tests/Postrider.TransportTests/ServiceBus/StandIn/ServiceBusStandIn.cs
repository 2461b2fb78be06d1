using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Amqp;
using Amqp.Framing;
using Amqp.Handler;
using Amqp.Listener;
using Amqp.Types;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>Behaves as Azure Service Bus does, as far as its documentation and Microsoft's own clients say: queues, topics with
/// subscriptions, tokens, locks, sessions, scheduled messages, dead letters, batches. Microsoft's JavaScript client is run against it, so
/// that it is no mirror of the adapter.</summary>
internal sealed class ServiceBusStandIn : ILinkProcessor, IHandler, IAsyncDisposable
{
    private const uint BatchFormat = 0x80013700;

    // Timers take no more than 49 days.
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(1);

    private readonly Dictionary<string, StandInEntity> _entities = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, List<StandInEntity>> _topics = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<ListenerLink, string> _targets = new();
    private readonly ConcurrentDictionary<ListenerLink, string> _answers = new();
    private readonly Lock _gate = new(); // guards entities, topics and what is in them
    private readonly ContainerHost _host;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;

    /// <summary>Starts on a free port.</summary>
    /// <param name="time">The clock of locks, schedules and tokens.</param>
    /// <param name="certificate">That of the server; null for plain TCP.</param>
    public ServiceBusStandIn(TimeProvider? time = null, X509Certificate2? certificate = null)
    {
        _time = time ?? TimeProvider.System;
        Tokens = new StandInTokens(_time);
        _timer = _time.CreateTimer(_ => PumpAll(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        (_host, Port, IsTls) = (Start(certificate, out var port), port, certificate is not null);
    }

    public int Port { get; }

    public bool IsTls { get; }

    public StandInTokens Tokens { get; }

    /// <summary>How many locks were renewed.</summary>
    public int Renewals { get; set; }

    /// <summary>How many dispositions of each kind were carried out.</summary>
    public Dictionary<string, int> Settled { get; } = new(StringComparer.Ordinal);

    /// <summary>How many transfers were batches.</summary>
    public int Batches { get; private set; }

    /// <summary>What a message is refused with; null to take it.</summary>
    public Func<string, Error?>? Refuse { get; set; }

    public int MaxMessageBytes { get; set; } = 262_144;

    /// <summary>How long an opened connection waits for its answer: Microsoft's JavaScript client does not expect one before it has sent its
    /// own.</summary>
    public TimeSpan OpenDelay { get; init; }

    public DateTimeOffset Now => _time.GetUtcNow();

    public string ConnectionString => ConnectionStringOf(Port);

    public string ConnectionStringOf(int port, string key = StandInTokens.Key)
        => $"Endpoint=sb://127.0.0.1:{port}/;SharedAccessKeyName={StandInTokens.KeyName};SharedAccessKey={key}{(IsTls ? "" : ";UseDevelopmentEmulator=true")}";

    public void CreateQueue(string name, StandInSettings? settings = null)
    {
        lock (_gate)
            Create(name, settings ?? new());
    }

    public void CreateTopic(string name, params string[] subscriptions) => CreateTopic(name, new StandInSettings(), subscriptions);

    public void CreateTopic(string name, StandInSettings settings, params string[] subscriptions)
    {
        lock (_gate)
            _topics[name] = [.. subscriptions.Select(subscription => Create($"{name}/subscriptions/{subscription}", settings))];
    }

    /// <summary>Removes a queue with its messages, and closes its links.</summary>
    public void Delete(string name)
    {
        lock (_gate)
        {
            var gone = new Error(ErrorCode.NotFound) { Description = $"The messaging entity '{name}' has been deleted." };
            if (_entities.Remove(name, out var entity))
                entity.CloseAll(gone);
            _entities.Remove(name + "/$deadletterqueue");
            foreach (var (link, path) in _targets)
            {
                if (string.Equals(path, name, StringComparison.OrdinalIgnoreCase))
                    _ = Task.Run(() => link.Close(TimeSpan.Zero, gone));
            }
        }
    }

    public int CountOf(string path)
    {
        lock (_gate)
            return _entities[path].Count;
    }

    /// <summary>Closes the links by which clients send and receive, as the service does when it moves an entity.</summary>
    public void CloseLinks()
    {
        lock (_gate)
        {
            var moved = new Error(ErrorCode.DetachForced) { Description = "The link was detached by the service." };
            foreach (var entity in _entities.Values)
                entity.CloseAll(moved);
            foreach (var link in _targets.Keys)
                _ = Task.Run(() => link.Close(TimeSpan.Zero, moved));
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _timer.DisposeAsync();
        _host.Close();
    }

    /// <summary>Does something to an entity, and what follows from it.</summary>
    public void Do(StandInEntity entity, Action action)
    {
        lock (_gate)
        {
            action();
            entity.Pump();
            Arm();
        }
    }

    public long Store(StandInEntity entity, Message message)
    {
        entity.Check(message);
        var sequence = entity.Add(message);
        Do(entity, static () => { });
        return sequence;
    }

    /// <summary>Takes what a client sends: all of a batch, or nothing.</summary>
    public void Receive(string path, Message message)
    {
        lock (_gate)
        {
            if (Refuse?.Invoke(path) is { } error)
                throw new AmqpException(error);
            var targets = _topics.TryGetValue(path, out var subscriptions) ? subscriptions
                : _entities.TryGetValue(path, out var queue) ? [queue]
                : throw new AmqpException(ErrorCode.NotFound, $"The messaging entity '{path}' could not be found.");
            Batches += message.Format == BatchFormat ? 1 : 0;
            var messages = message.Format == BatchFormat ? Split(message) : [message];
            foreach (var one in messages)
                targets.ForEach(target => target.Check(one));
            foreach (var one in messages)
            {
                var encoded = one.Encode();
                var bytes = encoded.Buffer.AsSpan(encoded.Offset, encoded.Length).ToArray();
                targets.ForEach(target => target.Add(StandInManagement.Decoded(bytes)));
            }

            foreach (var target in targets)
                target.Pump();
            Arm();
        }
    }

    public Message Answer(string node, ListenerLink link, Message request)
    {
        if (node == "$cbs")
            return Tokens.Put(link, request);
        var path = node[..^"/$management".Length];
        lock (_gate)
        {
            if (!_entities.TryGetValue(path, out var entity))
                return StandInManagement.Error(404, ErrorCode.NotFound, $"The messaging entity '{path}' could not be found.");
            var answer = StandInManagement.Answer(this, entity, request);
            Arm();
            return answer;
        }
    }

    public ListenerLink? AnswerLink(ListenerLink request, string replyTo)
        => _answers.FirstOrDefault(answer => (answer.Value == replyTo || answer.Key.Name == replyTo) && answer.Key.Session.Connection == request.Session.Connection).Key;

    public void Forget(ListenerLink link)
    {
        _targets.TryRemove(link, out _);
        _answers.TryRemove(link, out _);
    }

    void ILinkProcessor.Process(AttachContext attachContext)
    {
        try
        {
            Attach(attachContext);
        }
        catch (AmqpException refused)
        {
            attachContext.Complete(refused.Error);
        }
    }

    bool IHandler.CanHandle(EventId id) => id is EventId.SendDelivery or EventId.ConnectionLocalOpen;

    void IHandler.Handle(Event protocolEvent)
    {
        if (protocolEvent.Id == EventId.ConnectionLocalOpen && OpenDelay > TimeSpan.Zero)
        {
            using var never = new ManualResetEventSlim();
            never.Wait(OpenDelay);
        }
        else if (protocolEvent is { Id: EventId.SendDelivery, Context: IDelivery delivery } && SourceEndpoint.TagOf(delivery.Message) is { } tag)
        {
            delivery.Tag = tag;
        }
    }

    private void Attach(AttachContext context)
    {
        var (attach, link) = (context.Attach, context.Link);
        var path = (attach.Role ? (attach.Source as Source)?.Address : (attach.Target as Target)?.Address)?.Trim('/') ?? "";
        var isManagement = path.EndsWith("/$management", StringComparison.OrdinalIgnoreCase);
        if (path != "$cbs" && !Tokens.Allows(link.Session.Connection, path))
            throw new AmqpException(ErrorCode.UnauthorizedAccess, $"Unauthorized access. 'Listen' and 'Send' claims are required for '{path}'.");
        if (path == "$cbs" || isManagement)
        {
            if (attach.Role)
                _answers[link] = (attach.Target as Target)?.Address ?? link.Name;
            context.Complete(attach.Role ? new AnswerEndpoint(this) : new RequestEndpoint(this, path, link), 100);
            return;
        }

        lock (_gate)
        {
            if (!_entities.ContainsKey(path) && !_topics.ContainsKey(path))
                throw new AmqpException(ErrorCode.NotFound, $"The messaging entity '{path}' could not be found.");
            if (attach.Role)
            {
                AttachReceiver(context, _entities.GetValueOrDefault(path) ?? throw new AmqpException(ErrorCode.NotAllowed, $"'{path}' is a topic: receive from a subscription."));
                return;
            }

            attach.MaxMessageSize = (ulong)MaxMessageBytes;
            _targets[link] = path;
        }

        context.Complete(new TargetEndpoint(this, path), 1000);
    }

    private void AttachReceiver(AttachContext context, StandInEntity entity)
    {
        var attach = context.Attach;
        var settles = attach.SndSettleMode == SenderSettleMode.Settled;
        var filters = ((Source)attach.Source).FilterSet;
        var filter = filters?.FirstOrDefault(static pair => pair.Key.ToString() == "com.microsoft:session-filter");
        if (filter is not { Key: { } key })
        {
            if (entity.Settings.RequiresSession)
                throw new AmqpException(ErrorCode.NotAllowed, $"It is not possible for an entity that requires sessions, '{entity.Path}', to create a non-sessionful message receiver.");
            var receiver = new SourceEndpoint(this, entity, context.Link, null, settles);
            entity.Attach(receiver);
            context.Complete(receiver, 0);
            return;
        }

        if (!entity.Settings.RequiresSession)
            throw new AmqpException(ErrorCode.NotAllowed, $"A sessionful message receiver cannot be created on '{entity.Path}', which does not require sessions.");
        var wanted = (filter.Value.Value is DescribedValue described ? described.Value : filter.Value.Value) as string;
        if (wanted is not null && entity.IsHeld(wanted))
            throw new AmqpException("com.microsoft:session-cannot-be-locked", $"The requested session '{wanted}' cannot be accepted. It may be locked by another receiver.");

        bool TryAttach()
        {
            if ((wanted ?? entity.FreeSession()) is not { } session)
                return false;
            // In the form in which it came.
            filters![key] = filter.Value.Value is DescribedValue form ? new DescribedValue(form.Descriptor, session) : session;
            var receiver = new SourceEndpoint(this, entity, context.Link, session, settles);
            entity.Attach(receiver);
            attach.Properties = new Fields { [(Symbol)"com.microsoft:locked-until-utc"] = entity.SessionUntil(session).UtcTicks };
            context.Complete(receiver, 0);
            return true;
        }

        if (TryAttach())
            return;
        var patience = attach.Properties?.FirstOrDefault(static pair => pair.Key.ToString() == "com.microsoft:timeout").Value is { } milliseconds ? TimeSpan.FromMilliseconds(Convert.ToInt64(milliseconds, null)) : TimeSpan.FromSeconds(30);
        WaitingAttach waiting = null!;
        waiting = new WaitingAttach(Now + patience, () => context.Link.IsClosed || TryAttach(), context.Complete, () => entity.Waiting.Remove(waiting), () => Now);
        entity.Waiting.Add(waiting);
        Arm();
    }

    private StandInEntity Create(string path, StandInSettings settings)
    {
        var dead = new StandInEntity(this, path + "/$deadletterqueue", new StandInSettings { LockDuration = settings.LockDuration });
        _entities[dead.Path] = dead;
        return _entities[path] = new StandInEntity(this, path, settings) { DeadLetters = dead };
    }

    private void PumpAll()
    {
        lock (_gate)
        {
            foreach (var entity in _entities.Values.ToArray())
                entity.Pump();
            Arm();
        }
    }

    private void Arm()
    {
        var next = _entities.Values.Select(static entity => entity.Next()).Min();
        _timer.Change(next is { } time ? TimeSpan.FromMilliseconds(Math.Ceiling(Math.Clamp((time - Now).TotalMilliseconds, 1, s_longest.TotalMilliseconds))) : Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    private static List<Message> Split(Message batch) => batch.BodySection switch
    {
        DataList list => [.. Enumerable.Range(0, list.Count).Select(i => StandInManagement.Decoded(list[i].Binary))],
        Data one => [StandInManagement.Decoded(one.Binary)],
        _ => throw new AmqpException(ErrorCode.InvalidField, "A batch must have data sections."),
    };

    private ContainerHost Start(X509Certificate2? certificate, out int port)
    {
        while (true)
        {
            using (var probe = new TcpListener(IPAddress.Loopback, 0))
            {
                probe.Start();
                port = ((IPEndPoint)probe.LocalEndpoint).Port;
            }

            var host = new ContainerHost(new Address("127.0.0.1", port, null, null, "/", certificate is null ? "amqp" : "amqps"));
            host.Listeners[0].SASL.EnableAnonymousMechanism = true;
            host.Listeners[0].SSL.Certificate = certificate;
            host.Listeners[0].AMQP.MaxSessionsPerConnection = 5000;
            host.Listeners[0].HandlerFactory = _ => this;
            host.RegisterLinkProcessor(this);
            try
            {
                host.Open();
                return host;
            }
            catch (SocketException)
            {
                // Somebody else took the port.
            }
        }
    }
}
