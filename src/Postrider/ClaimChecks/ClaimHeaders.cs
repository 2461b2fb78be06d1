using Postrider.Envelopes;

namespace Postrider.ClaimChecks;

/// <summary>The headers of a message whose body is stored separately.</summary>
public static class ClaimHeaders
{
    /// <summary>The id of the body: 64 lower-case hexadecimal digits.</summary>
    public const string Id = HeaderNames.ClaimId;

    /// <summary>The number of its bytes; for people and tools.</summary>
    public const string Bytes = "Postrider-Claim-Bytes";

    internal const string Prefix = "Postrider-Claim-";
}
