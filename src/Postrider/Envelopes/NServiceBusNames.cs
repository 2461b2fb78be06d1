using System.Globalization;

namespace Postrider.Envelopes;

/// <summary>Headers of NServiceBus, and the form of their values.</summary>
internal static class NServiceBusNames
{
    internal const string MessageId = "NServiceBus.MessageId";
    internal const string CorrelationId = "NServiceBus.CorrelationId";
    internal const string ConversationId = "NServiceBus.ConversationId";
    internal const string RelatedTo = "NServiceBus.RelatedTo";
    internal const string ContentType = "NServiceBus.ContentType";
    internal const string EnclosedMessageTypes = "NServiceBus.EnclosedMessageTypes";
    internal const string MessageIntent = "NServiceBus.MessageIntent";
    internal const string TimeSent = "NServiceBus.TimeSent";
    internal const string TimeToBeReceived = "NServiceBus.TimeToBeReceived";
    internal const string OriginatingEndpoint = "NServiceBus.OriginatingEndpoint";
    internal const string ReplyToAddress = "NServiceBus.ReplyToAddress";
    internal const string ControlMessage = "NServiceBus.ControlMessage";

    private const string TimeFormat = "yyyy-MM-dd HH:mm:ss:ffffff Z";

    internal static string Format(DateTimeOffset time) => time.ToUniversalTime().ToString(TimeFormat, CultureInfo.InvariantCulture);

    internal static DateTimeOffset? ParseTime(string? text)
        => DateTimeOffset.TryParseExact(text, TimeFormat, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time) ? time : null;

    /// <summary>The full name of a type without its assembly, which follows the first comma outside of brackets.</summary>
    internal static string FullNameOf(string type)
    {
        var depth = 0;
        for (var i = 0; i < type.Length; i++)
        {
            depth += type[i] switch { '[' => 1, ']' => -1, _ => 0 };
            if (depth == 0 && type[i] == ',')
                return type[..i].Trim();
        }

        return type.Trim();
    }
}
