namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>What can be wrong with a type or a context; the number is that of the diagnostic.</summary>
internal enum Rule
{
    NotSerializable = 1,
    NoKey = 2,
    DuplicateKey = 3,
    MixedKeys = 4,
    NoConstructor = 5,
    WrongUnion = 6,
    WrongContext = 7,
    NotAccessible = 8,
    WrongFormatter = 9,
}
