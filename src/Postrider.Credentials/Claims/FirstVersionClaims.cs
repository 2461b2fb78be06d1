namespace Postrider.Credentials.Claims;

/// <summary>Reads claims of version 1 as those of version 2.</summary>
/// <remarks>Type, tags and the issuer's account are beside the details there, streams have no account limits yet, and a user without a limit is unlimited.
/// Source: nats-io/jwt, version 1, and its conversion of such tokens to version 2.</remarks>
internal static class FirstVersionClaims
{
    /// <summary>Reads the details of claims; the caller reads the general members.</summary>
    /// <param name="type">Their type.</param>
    /// <param name="subject">Their subject.</param>
    /// <param name="claims">The claims.</param>
    /// <param name="details">The object <c>nats</c> in them.</param>
    /// <exception cref="CredentialsException">The type does not exist in version 1, or version 2 does not support the claims.</exception>
    public static JwtClaims Read(ClaimsType type, string subject, ClaimsReader claims, ClaimsReader details) => type switch
    {
        ClaimsType.Operator => OperatorClaims.ReadDetails(subject, details),
        ClaimsType.Account => ReadAccount(subject, details),
        ClaimsType.User => ReadUser(subject, claims, details),
        ClaimsType.Activation => ReadActivation(subject, claims, details),
        _ => throw new CredentialsException(CredentialsErrorCode.WrongClaimsType, $"The token of version 1 has {ClaimsTypes.NameOf(type)} claims. Supported in version 1: operator, account, user, activation."),
    };

    private static AccountClaims ReadAccount(string subject, ClaimsReader details)
    {
        var account = AccountClaims.ReadDetails(subject, details);
        // Members that version 2 introduced are ignored.
        return new AccountClaims
        {
            Subject = subject,
            Imports = account.Imports,
            Exports = account.Exports,
            SigningKeys = account.SigningKeys,
            Revocations = account.Revocations,
            Limits = account.Limits with { JetStream = null, JetStreamTiers = new Dictionary<string, JetStreamClaimLimits>(StringComparer.Ordinal) },
        };
    }

    private static UserClaims ReadUser(string subject, ClaimsReader claims, ClaimsReader details)
    {
        if (details.Has("max") && details.LimitUnlessNegative("max") is { } messages)
            throw new CredentialsException(CredentialsErrorCode.InvalidClaims, $"The token of version 1 limits its user to {messages} messages, which version 2 does not support. Issue a new token.");
        var settings = UserSettings.Read(details);
        return new UserClaims
        {
            Subject = subject,
            Settings = settings with { MaxSubscriptions = LimitOrNone(settings.MaxSubscriptions), MaxData = LimitOrNone(settings.MaxData), MaxPayload = LimitOrNone(settings.MaxPayload) },
            IssuerAccount = claims.Text("issuer_account"),
        };
    }

    private static ActivationClaims ReadActivation(string subject, ClaimsReader claims, ClaimsReader details) => new()
    {
        Subject = subject,
        ImportSubject = details.Text("subject") ?? "",
        Kind = ExportKinds.Read(details, "type"),
        IssuerAccount = claims.Text("issuer_account"),
    };

    // A limit of 0 was not written, so that a missing one reads as 0.
    private static long? LimitOrNone(long? limit) => limit is 0 ? null : limit;
}
