namespace Postrider.Broker;

/// <summary>A stream or service that an account uses of another account.</summary>
/// <remarks>Not thread-safe; must not be changed once a broker has it. Source: nats-server's <c>imports</c> of accounts.</remarks>
public sealed record ImportOptions
{
    /// <summary>Whether a stream or a service is imported.</summary>
    public required ExportType Type { get; set; }

    /// <summary>The name of the account that exports them.</summary>
    public required string Account { get; set; }

    /// <summary>The subject or pattern in the exporting account; the export must cover it.</summary>
    public required string Subject { get; set; }

    /// <summary>The subject or pattern in the importing account; null takes <see cref="Subject"/>. It must contain each wildcard of
    /// <see cref="Subject"/>: as <c>*</c> in the same order, or as <c>$1</c> or <c>{{wildcard(1)}}</c> in any order.</summary>
    public string? To { get; set; }

    /// <summary>Tokens before <see cref="Subject"/> in the importing account; null for none. Streams only, instead of
    /// <see cref="To"/>.</summary>
    public string? Prefix { get; set; }

    /// <summary>Whether the service learns about the requester: the header <c>Nats-Request-Info</c> then contains more than the account and the
    /// round trip time. Services only.</summary>
    public bool Share { get; set; }

    /// <summary>Whether traces of messages continue in this account. Streams only.</summary>
    public bool AllowTrace { get; set; }

    /// <summary>Whether the exporting account is known to allow the import, by a token that was checked elsewhere.</summary>
    internal bool IsAuthorized { get; set; }
}
