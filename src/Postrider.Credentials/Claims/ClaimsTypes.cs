namespace Postrider.Credentials.Claims;

/// <summary>The names of the types of claims in tokens.</summary>
internal static class ClaimsTypes
{
    public static string NameOf(ClaimsType type) => type switch
    {
        ClaimsType.Operator => "operator",
        ClaimsType.Account => "account",
        ClaimsType.User => "user",
        ClaimsType.Activation => "activation",
        _ => "generic",
    };

    public static ClaimsType? Find(string? name) => name switch
    {
        "operator" => ClaimsType.Operator,
        "account" => ClaimsType.Account,
        "user" => ClaimsType.User,
        "activation" => ClaimsType.Activation,
        _ => null,
    };
}
