namespace Postrider.Load.Traffic;

/// <summary>What one client asks, again and again.</summary>
internal interface IQuestion
{
    /// <summary>The next frame; valid until it is asked for another one.</summary>
    ReadOnlySpan<byte> Next();

    /// <summary>Throws unless the message answers the last question.</summary>
    void Check(in InboundMessage answer);
}
