using System.Security.Cryptography;
using System.Text;

namespace Postrider.Envelopes;

/// <summary>Names of MassTransit: members of the envelope, headers and types.</summary>
internal static class MassTransitNames
{
    internal const string EnvelopeType = "application/vnd.masstransit+json";

    /// <summary>The prefix of MassTransit's own content types.</summary>
    internal const string OwnTypes = "application/vnd.masstransit+";

    internal const string UrnPrefix = "urn:message:";

    internal const string MessageId = "MessageId";
    internal const string CorrelationId = "CorrelationId";
    internal const string ConversationId = "ConversationId";
    internal const string RequestId = "RequestId";
    internal const string InitiatorId = "MT-InitiatorId";
    internal const string SourceAddress = "MT-Source-Address";
    internal const string ResponseAddress = "MT-Response-Address";
    internal const string FaultAddress = "MT-Fault-Address";
    internal const string MessageType = "MT-MessageType";
    internal const string HostInfo = "MT-Host-Info";
    internal const string ActivityId = "MT-Activity-Id";

    /// <summary>The header for <c>sentTime</c>, for which the raw form has none.</summary>
    internal const string SentTime = "MT-Sent-Time";

    /// <summary>Whether a header represents a member of the envelope instead of one of its headers.</summary>
    internal static bool IsMember(string header)
        => Is(header, MessageId) || Is(header, CorrelationId) || Is(header, ConversationId) || Is(header, RequestId) || Is(header, InitiatorId)
            || Is(header, SourceAddress) || Is(header, ResponseAddress) || Is(header, FaultAddress) || Is(header, MessageType) || Is(header, HostInfo)
            || Is(header, SentTime);

    /// <summary>MassTransit's name of a type.</summary>
    internal static string UrnOf(Type type) => Append(new StringBuilder(UrnPrefix), type, withNamespace: true).ToString();

    /// <summary>The id in MassTransit's format: a text that is not a UUID is converted to one, always the same.</summary>
    internal static Guid UuidOf(string id)
    {
        if (Guid.TryParse(id, out var uuid))
            return uuid;
        var bytes = SHA256.HashData(Encoding.UTF8.GetBytes(id)).AsSpan(0, 16);
        // Version 8 of RFC 9562: a UUID with application-defined bits.
        bytes[6] = (byte)((bytes[6] & 0x0F) | 0x80);
        bytes[8] = (byte)((bytes[8] & 0x3F) | 0x80);
        return new Guid(bytes, bigEndian: true);
    }

    private static StringBuilder Append(StringBuilder urn, Type type, bool withNamespace)
    {
        if (withNamespace && type.Namespace is { } space)
            urn.Append(space).Append(':');
        if (type is { IsNested: true, DeclaringType: { } outer })
            Append(urn, outer, withNamespace: false).Append('+');
        if (!type.IsGenericType)
            return urn.Append(type.Name);
        var end = type.Name.IndexOf('`', StringComparison.Ordinal);
        urn.Append(end < 0 ? type.Name : type.Name[..end]).Append('[');
        var arguments = type.GetGenericArguments();
        for (var i = 0; i < arguments.Length; i++)
            Append(urn.Append(i > 0 ? ",[" : "["), arguments[i], withNamespace: true).Append(']');
        return urn.Append(']');
    }

    private static bool Is(string name, string known) => string.Equals(name, known, StringComparison.OrdinalIgnoreCase);
}
