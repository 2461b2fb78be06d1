namespace Postrider.InteropTests.Soap;

/// <summary>Tests of WCF's own client. They run alone: .NET's DataContractSerializer throws "DataContract cache overflow" now and
/// then when types are prepared on several threads.</summary>
[CollectionDefinition("DataContractSerializer", DisableParallelization = true)]
public sealed class DataContractSerializerCollection;
