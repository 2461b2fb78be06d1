namespace Postrider.Broker;

/// <summary>Subjects of another account that an account uses.</summary>
/// <remarks>Not thread-safe; must not be changed once a broker has it. Source: nats-server's <c>imports</c> of accounts.</remarks>
public sealed record ImportOptions
{
    /// <summary>Whether messages or a service are imported.</summary>
    public required ExportType Type { get; set; }

    /// <summary>The name of the account that exports them.</summary>
    public required string Account { get; set; }

    /// <summary>The subject or pattern in the exporting account; the export must cover it.</summary>
    public required string Subject { get; set; }

    /// <summary>The subject or pattern in the importing account; null takes <see cref="Subject"/>. Each wildcard of <see cref="Subject"/> must
    /// be in it, as <c>*</c> in the same order, or as <c>$1</c> or <c>{{wildcard(1)}}</c> in any.</summary>
    public string? To { get; set; }

    /// <summary>Tokens that stand before <see cref="Subject"/> in the importing account; null for none. Of streams only, instead of
    /// <see cref="To"/>.</summary>
    public string? Prefix { get; set; }

    /// <summary>Whether the service is told who asks: the header <c>Nats-Request-Info</c> then has more than the account and the round trip
    /// time. Of services only.</summary>
    public bool Share { get; set; }

    /// <summary>Whether traces of messages go on in this account. Of streams only.</summary>
    public bool AllowTrace { get; set; }

    /// <summary>Whether the exporting account is known to allow it, by a token that was checked elsewhere.</summary>
    internal bool IsAuthorized { get; set; }
}
