namespace System.ServiceModel;

/// <summary>The words of a failure in one language.</summary>
/// <param name="text">The words.</param>
public sealed class FaultReasonText(string text)
{
    /// <summary>The words.</summary>
    public string Text { get; } = text ?? throw new ArgumentNullException(nameof(text));

    /// <summary>What is written as their language.</summary>
    public string XmlLang => "en";
}
