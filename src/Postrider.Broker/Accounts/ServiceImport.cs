using System.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Tracing;
using Postrider.Sockets;

namespace Postrider.Broker.Accounts;

/// <summary>Forwards an account's requests to a service of another account, and the responses back.</summary>
/// <remarks>Thread-safe. It stays the same object as long as nothing about it changes, so that requests keep their routes across a reload.
/// Source: nats-server, imports of services.</remarks>
internal sealed class ServiceImport : CrossAccountForwarder
{
    private readonly AccountRegistry _registry;
    private readonly Account _importer;
    private readonly ImportPath _path;
    private readonly byte[] _to;
    private readonly CrossAccountSubscription _subscription;
    private readonly ForwardingChain _chain;

    // Guards the routes, which are created with the first request. Held together with SubjectTree's lock.
    private readonly Lock _gate = new();
    private ReplyRoutes? _routes;
    private ReplyRoutes? _routesBack;
    private bool _isClosed;

    /// <summary>Prepares an import.</summary>
    /// <param name="registry">All accounts.</param>
    /// <param name="importer">The importing account.</param>
    /// <param name="exporter">The exporting account, which allows it.</param>
    /// <param name="options">The import.</param>
    /// <param name="path">Its subjects.</param>
    /// <param name="export">The service.</param>
    public ServiceImport(AccountRegistry registry, Account importer, Account exporter, ImportOptions options, ImportPath path, ServiceExport export)
    {
        (_registry, _importer, Exporter, Options, _path, Export) = (registry, importer, exporter, options, path, export);
        _to = Encoding.UTF8.GetBytes(path.To);
        _subscription = new CrossAccountSubscription(this, Encoding.UTF8.GetBytes(path.From));
        _chain = new ForwardingChain(export, options.Share, null);
    }

    /// <summary>The first tokens of subjects that are not forwarded although the import covers them, because the importing account serves
    /// them itself. Set before there are requests.</summary>
    public byte[][] Excluded { get; init; } = [];

    /// <summary>The exporting account.</summary>
    public Account Exporter { get; }

    /// <summary>The import.</summary>
    public ImportOptions Options { get; }

    /// <summary>The service.</summary>
    public ServiceExport Export { get; }

    /// <summary>The number of requests that wait for a response.</summary>
    public int Pending => (Volatile.Read(ref _routes)?.Count ?? 0) + (Volatile.Read(ref _routesBack)?.Count ?? 0);

    /// <summary>Whether responses to a message need a reply route: the subject of an acknowledgement works unchanged in any account.</summary>
    public static bool NeedsRoute(ReadOnlySpan<byte> replyTo) => !replyTo.IsEmpty && !replyTo.StartsWith("$JS.ACK."u8);

    /// <summary>Begins to receive requests.</summary>
    public void Open() => _importer.Subscriptions.Add(_subscription.SubjectBytes, [], _subscription);

    /// <summary>Stops receiving requests; those under way get no response any more.</summary>
    public void Close()
    {
        _subscription.Leave(_importer.Subscriptions);
        lock (_gate)
        {
            _isClosed = true;
            _routes?.Close();
            _routesBack?.Close();
        }
    }

    /// <summary>The routes of requests that arrived as responses by other routes of this import.</summary>
    public ReplyRoutes RoutesBack(ReplyRoutes routes)
    {
        lock (_gate)
        {
            return ReferenceEquals(routes, _routes) ? Get(ref _routesBack, _importer, Exporter) : Get(ref _routes, Exporter, _importer);
        }
    }

    /// <inheritdoc/>
    public override bool TryForward(scoped in CrossAccountMessage message, IPublishingClient? publisher, ForwardingChain? chain, SendBatch batch)
    {
        if (!ForwardingChain.MayForward(chain, Export) || IsExcluded(message.Subject)) return false;
        var subject = Exporter.MapImported(SubjectOf(message.Subject), batch.Random);
        if (subject.IsEmpty) return false;
        var replyTo = message.ReplyTo;
        var sample = Export.Latency is null ? null : LatencySample.Begin(_registry, this, publisher, message.Headers, batch.Random);
        if (replyTo.IsEmpty) sample?.Failed(LatencyOutcome.NoReply, batch);
        ReplyRoute? route = null;
        if (NeedsRoute(replyTo))
        {
            // The import has just ended.
            if ((route = Routes().Add(replyTo, sample)) is null) return false;
            replyTo = route.Subject;
        }
        var headers = WriteInfo(message.Headers, publisher, chain);
        var next = chain is null ? _chain : new ForwardingChain(Export, Options.Share, chain);
        var reached = message.Trace is null
            ? CrossAccountPublisher.Publish(
                Exporter.Subscriptions, new CrossAccountMessage(subject, message.ShownSubject, replyTo, headers, message.Payload), publisher, next, batch)
            : PublishTraced(in message, subject, replyTo, headers, publisher, next, batch);
        if (message.Trace is { IsOnly: true })
        {
            // The request had no recipient.
            if (route is not null) Routes().Remove(route);
            return reached;
        }
        if (reached || Exporter.NoRespondersExemption?.Suppresses(subject) == true) return true;
        if (route is not null && Routes().Remove(route)) sample?.Failed(LatencyOutcome.NoResponders, batch);
        return false;
    }

    /// <inheritdoc/>
    public override bool TakesRouted => false;

    /// <inheritdoc/>
    public override bool HasInterest(ReadOnlySpan<byte> subject) => !IsExcluded(subject) && !Exporter.Subscriptions.Match(SubjectOf(subject)).IsEmpty;

    private bool IsExcluded(ReadOnlySpan<byte> subject)
    {
        foreach (var start in Excluded)
            if (subject.StartsWith(start)) return true;
        return false;
    }

    private bool PublishTraced(
        scoped in CrossAccountMessage message, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, byte[] headers, IPublishingClient? publisher, ForwardingChain next, SendBatch batch)
    {
        var trace = message.Trace!;
        trace.AddServiceImport(Exporter.Name, message.Subject, subject);
        if (!Export.AllowTrace)
        {
            if (trace.IsOnly) return false;
            headers = TraceRequest.Disable(headers);
            return CrossAccountPublisher.Publish(
                Exporter.Subscriptions, new CrossAccountMessage(subject, message.ShownSubject, replyTo, headers, message.Payload), publisher, next, batch);
        }
        Exporter.SystemImports?.TryNote(trace, subject);
        // Other servers only know the exporting account, in which the importing account's trace destination has no meaning.
        var (before, hops) = (trace.Forwarded, trace.Hops);
        var route = Routes().AddForTraces(before);
        if (route is not null)
        {
            trace.Forwarded = route.Subject;
            headers = HeaderLines.Set(headers, TraceRequest.DestinationHeader, route.Subject);
        }
        var reached = CrossAccountPublisher.Publish(
            Exporter.Subscriptions, new CrossAccountMessage(subject, message.ShownSubject, replyTo, headers, message.Payload, trace), publisher, next, batch);
        trace.Forwarded = before;
        if (route is not null && trace.Hops == hops) Routes().Remove(route);
        return reached;
    }

    private ReadOnlySpan<byte> SubjectOf(ReadOnlySpan<byte> subject)
    {
        if (_path.KeepsSubject) return subject;
        return _path.Transform is { } transform ? transform.Apply(subject) : _to;
    }

    private ReplyRoutes Routes()
    {
        lock (_gate) return Get(ref _routes, Exporter, _importer);
    }

    private ReplyRoutes Get(ref ReplyRoutes? routes, Account answering, Account requesting)
    {
        if (routes is not null) return routes;
        var made = new ReplyRoutes(this, answering, requesting, _registry.Time);
        if (_isClosed) made.Close();
        return routes = made;
    }

    private byte[] WriteInfo(ReadOnlySpan<byte> headers, IPublishingClient? publisher, ForwardingChain? chain)
    {
        // If the first import of several shares the client's data, all do; the server's name is added where the sharing ends.
        var shares = chain?.Shares ?? Options.Share;
        var tellsServer = !shares && ((chain is not null && Options.Share) || Exporter.IsSystem);
        if (chain is not null && RequestInfo.Extend(headers, _importer.Name, tellsServer ? _registry.ServerName : null, _registry.ClusterName) is { } extended) return extended;
        return RequestInfo.Write(headers, publisher, _importer.Name, shares || tellsServer ? _registry.ServerName : null, _registry.ClusterName, shares);
    }
}
