namespace Postrider;

/// <summary>The response of a message without a result, so that commands and queries share one pipeline.</summary>
public readonly record struct Unit
{
    /// <summary>The only value.</summary>
    public static readonly Unit Value;

    /// <inheritdoc/>
    public override string ToString() => "()";
}
