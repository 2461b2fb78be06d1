namespace Postrider;

/// <summary>The response of a message that has none, so that one pipeline serves commands and queries alike.</summary>
public readonly record struct Unit
{
    /// <summary>The only value.</summary>
    public static readonly Unit Value;

    /// <inheritdoc/>
    public override string ToString() => "()";
}
