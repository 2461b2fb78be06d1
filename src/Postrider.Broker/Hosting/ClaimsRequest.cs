namespace Postrider.Broker.Hosting;

/// <summary>A request about accounts' tokens, copied out of the message that brought it.</summary>
/// <param name="Subject">The subject.</param>
/// <param name="ReplyTo">The reply subject; empty for none.</param>
/// <param name="Payload">The payload.</param>
internal sealed record ClaimsRequest(string Subject, string ReplyTo, byte[] Payload)
{
    /// <summary>The account that the subject names: the token before <c>CLAIMS</c>; empty where there is none.</summary>
    public string AccountInSubject
    {
        get
        {
            var tokens = Subject.Split('.');
            return tokens.Length is 5 or 6 ? tokens[^3] : "";
        }
    }
}
