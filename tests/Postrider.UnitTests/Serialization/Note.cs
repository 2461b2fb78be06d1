namespace Postrider.UnitTests.Serialization;

/// <summary>The message that <c>protoc</c> wrote is the dispatcher's, too.</summary>
public sealed partial class Note : IQuery<Note>;
