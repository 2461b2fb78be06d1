using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using System.Xml;

namespace Postrider.InteropTests.Soap;

/// <summary>Puts the structs of the tests' contracts into the framework's cache before their nullable forms are.</summary>
/// <remarks>DataContractSerializer fails with "DataContract cache overflow" when a nullable struct is read before the struct itself
/// has a place there. Which comes first depends on the order of the tests, and xunit draws that from the assembly's path.</remarks>
internal static class DataContractCache
{
    [ModuleInitializer]
    internal static void Fill()
    {
        foreach (var type in (Type[])[typeof(ArchivePoint), typeof(ArchivePoint?)])
        {
            var serializer = new DataContractSerializer(type);
            using var stream = new MemoryStream();
            using (var writer = XmlDictionaryWriter.CreateTextWriter(stream, System.Text.Encoding.UTF8, ownsStream: false))
                serializer.WriteObject(writer, new ArchivePoint());
            stream.Position = 0;
            serializer.ReadObject(stream);
        }
    }
}
