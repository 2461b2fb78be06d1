namespace System.ServiceModel;

/// <summary>The message of a failure in one language.</summary>
/// <param name="text">The message.</param>
public sealed class FaultReasonText(string text)
{
    /// <summary>The message.</summary>
    public string Text { get; } = text ?? throw new ArgumentNullException(nameof(text));

    /// <summary>The language tag that is sent.</summary>
    public string XmlLang => "en";
}
