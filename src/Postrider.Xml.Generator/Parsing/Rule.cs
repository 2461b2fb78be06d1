namespace Postrider.Xml.Generator.Parsing;

/// <summary>What can be wrong; the number is that of the diagnostic.</summary>
internal enum Rule
{
    NotSerializable = 1,
    WrongContext = 2,
    NotAccessible = 3,
    NoConstructor = 4,
    DuplicateName = 5,
    IsReference = 6,
    NeverSet = 7,
}
