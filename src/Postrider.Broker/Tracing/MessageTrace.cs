using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Postrider.Broker.Tracing;

/// <summary>The trace of one message on this server.</summary>
/// <remarks>Only used by the thread that publishes the message, during the publish. The number of its steps is bounded: for a message with very
/// many subscribers, the steps after <see cref="MaxSteps"/> are left out. Source: NATS ADR-41; nats-server, message tracing.</remarks>
internal sealed class MessageTrace
{
    /// <summary>The maximum number of steps.</summary>
    public const int MaxSteps = 16 * 1024;

    /// <summary>The maximum number of characters of all names and subjects in the steps.</summary>
    public const int MaxCharacters = 4 * 1024 * 1024;

    private readonly TraceRequest _request;
    private readonly TimeProvider _time;
    private readonly List<TraceStep> _steps = [];
    private readonly TraceStep _ingress;
    private readonly int _messageBytes;
    private int _characters;

    /// <summary>Starts a trace.</summary>
    /// <param name="request">The trace request in the message's headers.</param>
    /// <param name="destination">The subject to which the trace is published.</param>
    /// <param name="source">The connection that received the message.</param>
    /// <param name="account">The name of the account that the message was published in.</param>
    /// <param name="subject">The published subject.</param>
    /// <param name="messageBytes">The bytes of headers and payload.</param>
    /// <param name="time">The clock.</param>
    public MessageTrace(
        TraceRequest request, byte[] destination, TraceConnection source, string account, ReadOnlySpan<byte> subject, int messageBytes, TimeProvider time)
    {
        (_request, Destination, Forwarded, Account, _messageBytes, _time) = (request, destination, destination, account, messageBytes, time);
        IsOnly = request.Only;
        _ingress = new TraceStep(TraceStep.Ingress, time.GetUtcNow())
        {
            ConnectionKind = source.Kind,
            ConnectionId = source.Id,
            ConnectionName = source.Name,
            Account = account,
            Published = Encoding.UTF8.GetString(subject),
        };
        _steps.Add(_ingress);
    }

    /// <summary>The subject to which the trace is published, in the account that the message was published in.</summary>
    public byte[] Destination { get; }

    /// <summary>The subject to which other servers send their traces, in the account that the message is currently in.</summary>
    public byte[] Forwarded { get; set; }

    /// <summary>The name of the account that the message was published in.</summary>
    public string Account { get; }

    /// <summary>Whether the message is only traced and not delivered.</summary>
    public bool IsOnly { get; }

    /// <summary>The number of other servers that the message was sent to.</summary>
    public int Hops { get; private set; }

    /// <summary>The encodings that the trace may have; null for none.</summary>
    public string? AcceptedEncodings => _request.AcceptedEncodings;

    /// <summary>Records why the message was not accepted on this server.</summary>
    public void Refuse(string error) => _ingress.Error = error;

    /// <summary>Adds a mapping that changed the subject.</summary>
    public void AddMapping(ReadOnlySpan<byte> to) => Add(new TraceStep(TraceStep.SubjectMapping, _time.GetUtcNow()) { To = Encoding.UTF8.GetString(to) });

    /// <summary>Adds a delivery to a subscriber of an account that imports the stream.</summary>
    public void AddStreamExport(string account, ReadOnlySpan<byte> to)
        => Add(new TraceStep(TraceStep.StreamExport, _time.GetUtcNow()) { Account = account, To = Encoding.UTF8.GetString(to) });

    /// <summary>Adds the forwarding of a request to a service of another account.</summary>
    public void AddServiceImport(string account, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to)
        => Add(new TraceStep(TraceStep.ServiceImport, _time.GetUtcNow()) { Account = account, From = Encoding.UTF8.GetString(from), To = Encoding.UTF8.GetString(to) });

    /// <summary>Adds the arrival at a stream.</summary>
    /// <returns>The step, to which the stream adds the result.</returns>
    public TraceStep AddJetStream(string stream)
    {
        var step = new TraceStep(TraceStep.JetStream, _time.GetUtcNow()) { Stream = stream };
        Add(step);
        return step;
    }

    /// <summary>Adds a delivery to a client.</summary>
    /// <param name="client">The client.</param>
    /// <param name="account">Its account.</param>
    /// <param name="subscription">The subscription's subject or pattern.</param>
    /// <param name="queueGroup">Its queue group, or empty.</param>
    /// <param name="error">Why it is not delivered; null on delivery.</param>
    public void AddClient(TraceConnection client, string account, ReadOnlySpan<byte> subscription, ReadOnlySpan<byte> queueGroup, string? error = null)
        => Add(new TraceStep(TraceStep.Egress, _time.GetUtcNow())
        {
            ConnectionKind = client.Kind,
            ConnectionId = client.Id,
            ConnectionName = client.Name,
            Account = account == Account ? null : account,
            Subscription = Encoding.UTF8.GetString(subscription),
            QueueGroup = Encoding.UTF8.GetString(queueGroup),
            Error = error,
        });

    /// <summary>Adds a delivery to another server.</summary>
    /// <param name="server">The other server.</param>
    /// <param name="account">The account, if the connection has a single one; null for others.</param>
    /// <param name="hop">The hop number under which it reports.</param>
    /// <param name="error">Why it is not sent, or not traced further; null on success.</param>
    public void AddServer(TraceConnection server, string? account, string hop, string? error)
        => Add(new TraceStep(TraceStep.Egress, _time.GetUtcNow())
        {
            ConnectionKind = server.Kind,
            ConnectionId = server.Id,
            ConnectionName = server.Name,
            Account = account == Account ? null : account,
            Hop = hop,
            Error = error,
        });

    /// <summary>The hop number under which the next server reports.</summary>
    public string NextHop()
    {
        Hops++;
        return _request.Hop is { } own ? string.Create(CultureInfo.InvariantCulture, $"{own}.{Hops}") : Hops.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>Writes the members of the event after the member <c>server</c>.</summary>
    public void WriteMembers(Utf8JsonWriter json)
    {
        json.WriteStartObject("request");
        json.WriteStartObject("header");
        foreach (var (name, values) in _request.Headers)
        {
            json.WriteStartArray(name);
            foreach (var value in values) json.WriteStringValue(value);
            json.WriteEndArray();
        }
        json.WriteEndObject();
        if (_messageBytes != 0) json.WriteNumber("msgsize", _messageBytes);
        json.WriteEndObject();
        if (Hops != 0) json.WriteNumber("hops", Hops);
        json.WriteStartArray("events");
        foreach (var step in _steps) step.Write(json);
        json.WriteEndArray();
    }

    private void Add(TraceStep step)
    {
        _characters += (step.ConnectionName?.Length ?? 0) + (step.Subscription?.Length ?? 0) + (step.QueueGroup?.Length ?? 0) + (step.To?.Length ?? 0) + (step.From?.Length ?? 0);
        if (_steps.Count < MaxSteps && _characters <= MaxCharacters) _steps.Add(step);
    }
}
