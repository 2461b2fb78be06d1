namespace System.ServiceModel;

/// <summary>The words of a failure.</summary>
/// <param name="text">The words.</param>
public sealed class FaultReason(string text)
{
    private readonly FaultReasonText _text = new(text);

    /// <summary>The words; there is one language.</summary>
    /// <returns>The words with their language.</returns>
    public FaultReasonText GetMatchingTranslation() => _text;

    /// <inheritdoc/>
    public override string ToString() => _text.Text;
}
