
namespace Postrider.Client.Sessions;

/// <summary>Interprets the texts of -ERR.</summary>
internal static class ServerErrors
{
    private const string Publish = "Permissions Violation for Publish to \"";
    private const string Subscription = "Permissions Violation for Subscription to \"";

    public static NatsClientException Read(string text) => new(CodeOf(text), $"The server reported: {text}");

    /// <summary>The subject of a permissions violation.</summary>
    public static bool TryReadViolation(string text, out string subject, out string? queueGroup, out bool ofPublish)
    {
        ofPublish = text.StartsWith(Publish, StringComparison.OrdinalIgnoreCase);
        queueGroup = null;
        subject = "";
        if (!ofPublish && !text.StartsWith(Subscription, StringComparison.OrdinalIgnoreCase)) return false;
        var quoted = text.Split('"');
        subject = quoted[1];
        if (quoted.Length > 3) queueGroup = quoted[3];
        return true;
    }

    private static NatsErrorCode CodeOf(string text)
    {
        if (Has("permissions violation")) return NatsErrorCode.PermissionDenied;
        if (Has("authorization violation") || Has("authentication")) return NatsErrorCode.AuthorizationFailed;
        if (Has("stale connection")) return NatsErrorCode.StaleConnection;
        if (Has("maximum payload violation")) return NatsErrorCode.PayloadTooLarge;
        if (Has("tls required") || Has("no responders requires headers")) return NatsErrorCode.ServerRequirement;
        if (Has("unknown protocol operation") || Has("invalid client protocol")) return NatsErrorCode.ProtocolViolation;
        return Has("invalid subject") || Has("invalid publish subject") ? NatsErrorCode.InvalidArgument : NatsErrorCode.ServerError;

        bool Has(string words) => text.Contains(words, StringComparison.OrdinalIgnoreCase);
    }
}
