namespace System.ServiceModel;

/// <summary>The message of a failure.</summary>
/// <param name="text">The message.</param>
public sealed class FaultReason(string text)
{
    private readonly FaultReasonText _text = new(text);

    /// <summary>Returns the message; there is only one language.</summary>
    /// <returns>The message with its language.</returns>
    public FaultReasonText GetMatchingTranslation() => _text;

    /// <inheritdoc/>
    public override string ToString() => _text.Text;
}
