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
        ClaimsType.AuthorizationRequest => "authorization_request",
        ClaimsType.AuthorizationResponse => "authorization_response",
        _ => "generic",
    };

    public static ClaimsType? Find(string? name) => name switch
    {
        "operator" => ClaimsType.Operator,
        "account" => ClaimsType.Account,
        "user" => ClaimsType.User,
        "activation" => ClaimsType.Activation,
        "authorization_request" => ClaimsType.AuthorizationRequest,
        "authorization_response" => ClaimsType.AuthorizationResponse,
        _ => null,
    };
}
