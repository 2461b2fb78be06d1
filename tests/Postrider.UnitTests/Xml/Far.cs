using System.Runtime.Serialization;

namespace Postrider.UnitTests.Xml.Elsewhere;

[DataContract]
public sealed class Far
{
    [DataMember] public Plain? Near { get; set; }

    [DataMember] public Names? Names { get; set; }

    [DataMember] public List<Nested>? Nesteds { get; set; }

    public sealed class Nested
    {
        public Far? Back { get; set; }
    }
}
