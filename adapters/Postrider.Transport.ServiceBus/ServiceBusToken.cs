namespace Postrider.Transport.ServiceBus;

/// <summary>A token for Service Bus.</summary>
/// <param name="Value">A shared access signature, which starts with <c>SharedAccessSignature</c>, or a JSON web token of Microsoft
/// Entra ID.</param>
/// <param name="ExpiresAt">The time at which it expires.</param>
public sealed record ServiceBusToken(string Value, DateTimeOffset ExpiresAt)
{
    internal string Type => Value.StartsWith("SharedAccessSignature ", StringComparison.Ordinal) ? "servicebus.windows.net:sastoken" : "jwt";

    /// <summary>Shows when the token expires but not its value, because it is a secret.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"{Type} until {ExpiresAt:O}";
}
