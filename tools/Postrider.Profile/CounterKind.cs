namespace Postrider.Profile;

/// <summary>
/// The numbers of the runtime for kinds of counters. Source: PgoInstrumentationKind of the runtime's interface between its
/// compiler and the rest (corjit.h of dotnet/runtime).
/// </summary>
public static class CounterKind
{
    /// <summary>The bits that say how a value is stored.</summary>
    public const int Storage = 0xF;

    /// <summary>A value of 32 bits.</summary>
    public const int FourBytes = 1;

    /// <summary>A value of 64 bits.</summary>
    public const int EightBytes = 2;

    /// <summary>A type.</summary>
    public const int Type = 3;

    /// <summary>A method.</summary>
    public const int Method = 4;

    /// <summary>How often a block was entered, in 32 bits.</summary>
    public const int BlockCount = 0x40 | FourBytes;

    /// <summary>How often a block was entered, in 64 bits.</summary>
    public const int LongBlockCount = 0x40 | EightBytes;

    /// <summary>How often control went from one block to another, in 32 bits.</summary>
    public const int EdgeCount = 0x180 | FourBytes;

    /// <summary>How often control went from one block to another, in 64 bits.</summary>
    public const int LongEdgeCount = 0x180 | EightBytes;

    /// <summary>The types of the objects whose members were called at a place, a sample of them.</summary>
    public const int SeenTypes = 0xC0 | Type;

    /// <summary>The methods that were called through delegates at a place, a sample of them.</summary>
    public const int SeenMethods = 0xC0 | Method;

    /// <summary>The type that is most likely at a place, with its share in percent: a sample in short.</summary>
    public const int LikelyType = 0x1C0 | Type;

    /// <summary>The method that is most likely called at a place, with its share in percent.</summary>
    public const int LikelyMethod = 0x1C0 | Method;
}
