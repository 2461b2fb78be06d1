namespace Postrider.Xml.Generator.Model;

/// <summary>A method that is called while its object is written or read.</summary>
/// <param name="When">When it is called.</param>
/// <param name="Name">Its name in C#.</param>
/// <param name="Owner">The type that declares it.</param>
/// <param name="IsHidden">Only the runtime can reach it.</param>
internal sealed record CallbackModel(CallbackMoment When, string Name, string Owner, bool IsHidden);

/// <summary>When a method is called.</summary>
internal enum CallbackMoment
{
    /// <summary>Before the object is written.</summary>
    Serializing,

    /// <summary>After it was written.</summary>
    Serialized,

    /// <summary>Before its members are set.</summary>
    Deserializing,

    /// <summary>When its members are set.</summary>
    Deserialized,
}
