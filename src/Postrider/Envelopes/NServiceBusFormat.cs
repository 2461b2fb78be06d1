using System.Globalization;
using System.Net.Mime;

namespace Postrider.Envelopes;

/// <summary>NServiceBus's form of messages.</summary>
internal sealed class NServiceBusFormat : EnvelopeFormat
{
    private readonly NServiceBusOptions _options;
    private readonly TimeProvider _time;
    private readonly string _enclosed;
    private readonly string[] _names;
    private readonly string _intent;

    /// <summary>Creates a format.</summary>
    /// <param name="options">The types, the endpoint and the reply address.</param>
    /// <param name="message">The message of the route or the binding.</param>
    /// <param name="time">The clock.</param>
    internal NServiceBusFormat(NServiceBusOptions options, Type message, TimeProvider time)
    {
        (_options, _time) = (options, time);
        string[] types = options.MessageTypes.Count > 0 ? [.. options.MessageTypes] : [message.FullName ?? message.Name];
        _enclosed = string.Join(';', types);
        _names = Array.ConvertAll(types, NServiceBusNames.FullNameOf);
        _intent = typeof(INotification).IsAssignableFrom(message) ? "Publish" : "Send";
    }

    internal override (MessageProperties Properties, ReadOnlyMemory<byte> Body) Write(in MessageProperties properties, ReadOnlyMemory<byte> body)
    {
        if (!CloudEventReader.IsJson(properties.ContentType))
            throw new PostriderException(PostriderError.Codec, $"A message for NServiceBus has the content type '{properties.ContentType}'. Supported: {MediaTypeNames.Application.Json}. Give the route a serializer of JSON.");
        // NServiceBus treats a message without a body as one that needs no handling.
        if (body.IsEmpty)
            throw new PostriderException(PostriderError.Codec, "A message for NServiceBus has a body of JSON, and the body is empty.");
        var now = _time.GetUtcNow();
        var id = properties.MessageId is { Length: > 0 } given ? given : MessageIds.Next();
        var headers = properties.Headers is null ? [] : ForeignHeaders.Copy(properties.Headers);
        var correlation = headers[NServiceBusNames.CorrelationId] ?? (properties.CorrelationId is { Length: > 0 } conversation ? conversation : id);
        headers[NServiceBusNames.MessageId] = id;
        headers[NServiceBusNames.CorrelationId] = correlation;
        Offer(headers, NServiceBusNames.ConversationId, properties.CorrelationId ?? id);
        Offer(headers, NServiceBusNames.RelatedTo, properties.CausationId);
        headers[NServiceBusNames.ContentType] = MediaTypeNames.Application.Json;
        headers[NServiceBusNames.EnclosedMessageTypes] = _enclosed;
        Offer(headers, NServiceBusNames.MessageIntent, _intent);
        Offer(headers, NServiceBusNames.TimeSent, NServiceBusNames.Format(now));
        Offer(headers, NServiceBusNames.OriginatingEndpoint, _options.Endpoint);
        Offer(headers, NServiceBusNames.ReplyToAddress, _options.ReplyToAddress);
        if (properties.ExpiresAt is { } expiry)
            Offer(headers, NServiceBusNames.TimeToBeReceived, (expiry - now).ToString("c", CultureInfo.InvariantCulture));
        return (properties with
        {
            ContentType = MediaTypeNames.Application.Json,
            MessageId = id,
            // The transport's own property takes precedence over the header there.
            CorrelationId = correlation,
            Type = _names[0],
            Headers = headers,
        }, body);
    }

    internal override Envelope Read(Envelope envelope)
    {
        var arrived = envelope.Headers;
        var enclosed = arrived[NServiceBusNames.EnclosedMessageTypes];
        var intent = arrived[NServiceBusNames.MessageIntent];
        if (enclosed is null && intent is null && arrived[NServiceBusNames.MessageId] is null)
            return envelope;
        if (intent is "Subscribe" or "Unsubscribe" || string.Equals(arrived[NServiceBusNames.ControlMessage], bool.TrueString, StringComparison.OrdinalIgnoreCase))
            throw Invalid($"it is a control message ({NServiceBusNames.MessageIntent} is '{intent}'), which has no message in it");
        if (envelope.Body.IsEmpty)
            throw Invalid("its body is empty");
        var headers = ForeignHeaders.Copy(arrived);
        headers[HeaderNames.Type] = TypeOf(enclosed ?? arrived[HeaderNames.Type]);
        Take(headers, HeaderNames.MessageId, NServiceBusNames.MessageId);
        Take(headers, HeaderNames.CorrelationId, NServiceBusNames.CorrelationId);
        Take(headers, HeaderNames.CorrelationId, NServiceBusNames.ConversationId);
        Take(headers, HeaderNames.CausationId, NServiceBusNames.RelatedTo);
        Take(headers, HeaderNames.ContentType, NServiceBusNames.ContentType);
        if (NServiceBusNames.ParseTime(headers[NServiceBusNames.TimeSent]) is { } sent
            && TimeSpan.TryParse(headers[NServiceBusNames.TimeToBeReceived], CultureInfo.InvariantCulture, out var life) && life < DateTimeOffset.MaxValue - sent)
            headers[HeaderNames.ExpiresAt] = (sent + life).UtcDateTime.ToString("O", CultureInfo.InvariantCulture);
        return ForeignHeaders.With(envelope, headers, envelope.Body);
    }

    private string TypeOf(string? enclosed)
    {
        string[] types = enclosed is null ? [] : [.. enclosed.Split(';', StringSplitOptions.RemoveEmptyEntries).Select(NServiceBusNames.FullNameOf)];
        if (types.Length == 0)
            throw Invalid($"the header '{NServiceBusNames.EnclosedMessageTypes}' is missing or empty. Expected: {string.Join(", ", _names)}");
        return Array.Find(types, type => _names.Contains(type, StringComparer.Ordinal))
            ?? throw Invalid($"the message is a '{string.Join(", ", types)}'. Expected: {string.Join(", ", _names)}");
    }

    private static void Offer(Headers headers, string name, string? value)
    {
        if (value is { Length: > 0 } && headers[name] is null)
            headers[name] = value;
    }

    private static void Take(Headers headers, string name, string from)
    {
        if (headers[from] is { Length: > 0 } value)
            headers[name] = value;
    }

    private static PostriderException Invalid(string what) => new(PostriderError.Codec, $"The message is not a valid message of NServiceBus: {what}.");
}
