namespace Postrider.SystemTests.Wsdl;

/// <summary>Small descriptions of the shapes that other stacks write.</summary>
internal static class Descriptions
{
    /// <summary>As WCF writes it: messages by reference to a schema in a document of its own, actions, faults, extension, enumeration, list.</summary>
    public const string Wcf = """
        <wsdl:definitions name="Desk" targetNamespace="http://tempuri.org/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:tns="http://tempuri.org/" xmlns:wsaw="http://www.w3.org/2006/05/addressing/wsdl" xmlns:d="urn:data">
          <wsdl:types>
            <xs:schema targetNamespace="http://tempuri.org/Imports" xmlns:xs="http://www.w3.org/2001/XMLSchema">
              <xs:import schemaLocation="desk.xsd" namespace="http://tempuri.org/"/>
              <xs:import schemaLocation="data.xsd" namespace="urn:data"/>
            </xs:schema>
          </wsdl:types>
          <wsdl:message name="IDesk_Place_InputMessage"><wsdl:part name="parameters" element="tns:Place"/></wsdl:message>
          <wsdl:message name="IDesk_Place_OutputMessage"><wsdl:part name="parameters" element="tns:PlaceResponse"/></wsdl:message>
          <wsdl:message name="IDesk_Place_SoldOutFault"><wsdl:part name="detail" element="d:SoldOut"/></wsdl:message>
          <wsdl:message name="IDesk_Tell_InputMessage"><wsdl:part name="parameters" element="tns:Tell"/></wsdl:message>
          <wsdl:portType name="IDesk">
            <wsdl:operation name="Place">
              <wsdl:input wsaw:Action="http://tempuri.org/IDesk/Place" message="tns:IDesk_Place_InputMessage"/>
              <wsdl:output wsaw:Action="http://tempuri.org/IDesk/PlaceResponse" message="tns:IDesk_Place_OutputMessage"/>
              <wsdl:fault wsaw:Action="http://tempuri.org/IDesk/PlaceSoldOutFault" name="SoldOutFault" message="tns:IDesk_Place_SoldOutFault"/>
            </wsdl:operation>
            <wsdl:operation name="Tell"><wsdl:input wsaw:Action="urn:tell" message="tns:IDesk_Tell_InputMessage"/></wsdl:operation>
          </wsdl:portType>
          <wsdl:binding name="Basic" type="tns:IDesk">
            <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
            <wsdl:operation name="Place">
              <soap:operation soapAction="http://tempuri.org/IDesk/Place" style="document"/>
              <wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output>
              <wsdl:fault name="SoldOutFault"><soap:fault use="literal" name="SoldOutFault"/></wsdl:fault>
            </wsdl:operation>
            <wsdl:operation name="Tell"><soap:operation soapAction="urn:tell" style="document"/><wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation>
          </wsdl:binding>
          <wsdl:service name="Desk"><wsdl:port name="Basic" binding="tns:Basic"><soap:address location="http://desk.example/desk.svc"/></wsdl:port></wsdl:service>
        </wsdl:definitions>
        """;

    public const string WcfMessages = """
        <xs:schema elementFormDefault="qualified" targetNamespace="http://tempuri.org/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="http://tempuri.org/" xmlns:q1="urn:data">
          <xs:import namespace="urn:data"/>
          <xs:element name="Place"><xs:complexType><xs:sequence><xs:element minOccurs="0" name="order" nillable="true" type="q1:Order"/><xs:element minOccurs="0" name="count" type="xs:int"/></xs:sequence></xs:complexType></xs:element>
          <xs:element name="PlaceResponse"><xs:complexType><xs:sequence><xs:element minOccurs="0" name="PlaceResult" type="xs:dateTime"/><xs:element minOccurs="0" name="count" type="xs:int"/><xs:element minOccurs="0" name="left" nillable="true" type="xs:int"/></xs:sequence></xs:complexType></xs:element>
          <xs:element name="Tell"><xs:complexType><xs:sequence><xs:element minOccurs="0" name="event" nillable="true" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
        </xs:schema>
        """;

    public const string WcfData = """
        <xs:schema elementFormDefault="qualified" targetNamespace="urn:data" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:data" xmlns:ser="http://schemas.microsoft.com/2003/10/Serialization/">
          <xs:import namespace="http://schemas.microsoft.com/2003/10/Serialization/"/>
          <xs:complexType name="Order">
            <xs:sequence>
              <xs:element name="Id" type="ser:guid"/>
              <xs:element minOccurs="0" name="Kind" type="tns:Kind"/>
              <xs:element minOccurs="0" name="Lines" nillable="true" type="tns:ArrayOfLine"/>
              <xs:element minOccurs="0" name="Paid" nillable="true" type="xs:decimal"/>
              <xs:any minOccurs="0" maxOccurs="unbounded" namespace="##other" processContents="lax"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="Rush"><xs:complexContent mixed="false"><xs:extension base="tns:Order"><xs:sequence><xs:element minOccurs="0" name="Until" type="xs:dateTime"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
          <xs:complexType name="ArrayOfLine"><xs:sequence><xs:element minOccurs="0" maxOccurs="unbounded" name="Line" nillable="true" type="tns:Line"/></xs:sequence></xs:complexType>
          <xs:complexType name="Line"><xs:sequence><xs:element minOccurs="0" name="class" nillable="true" type="xs:string"/></xs:sequence></xs:complexType>
          <xs:simpleType name="Kind"><xs:restriction base="xs:string"><xs:enumeration value="Plain"/><xs:enumeration value="gift-wrapped"/></xs:restriction></xs:simpleType>
          <xs:element name="SoldOut" nillable="true" type="tns:SoldOut"/>
          <xs:complexType name="SoldOut"><xs:sequence><xs:element minOccurs="0" name="Left" type="xs:int"/></xs:sequence></xs:complexType>
        </xs:schema>
        """;

    /// <summary>As stacks of Java's write it: everything in one document, results called 'return', a bare operation whose elements are of named types.</summary>
    public const string Java = """
        <definitions name="Bank" targetNamespace="urn:bank" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:tns="urn:bank" xmlns:xs="http://www.w3.org/2001/XMLSchema">
          <types>
            <xs:schema elementFormDefault="qualified" targetNamespace="urn:bank">
              <xs:element name="balance"><xs:complexType><xs:sequence><xs:element name="account" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
              <xs:element name="balanceResponse"><xs:complexType><xs:sequence><xs:element name="return" type="xs:decimal"/></xs:sequence></xs:complexType></xs:element>
              <xs:element name="TransferRequest" type="tns:transfer"/>
              <xs:element name="TransferAnswer"><xs:complexType><xs:sequence><xs:element name="done" type="xs:boolean"/></xs:sequence></xs:complexType></xs:element>
              <xs:complexType name="transfer"><xs:sequence><xs:element name="amount" type="xs:decimal"/><xs:element name="to" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="name" type="xs:string"/></xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType>
            </xs:schema>
          </types>
          <message name="balance"><part name="parameters" element="tns:balance"/></message>
          <message name="balanceResponse"><part name="parameters" element="tns:balanceResponse"/></message>
          <message name="transfer"><part name="body" element="tns:TransferRequest"/></message>
          <message name="transferAnswer"><part name="body" element="tns:TransferAnswer"/></message>
          <portType name="Bank">
            <operation name="balance"><documentation>What is <![CDATA[left & owed]]>.</documentation><input message="tns:balance"/><output message="tns:balanceResponse"/></operation>
            <operation name="transfer"><input message="tns:transfer"/><output message="tns:transferAnswer"/></operation>
          </portType>
          <binding name="BankSoap12" type="tns:Bank">
            <s12:binding transport="http://schemas.xmlsoap.org/soap/http" style="document"/>
            <operation name="balance"><s12:operation soapAction=""/><input><s12:body use="literal"/></input><output><s12:body use="literal"/></output></operation>
            <operation name="transfer"><s12:operation soapAction="urn:transfer"/><input><s12:body use="literal"/></input><output><s12:body use="literal"/></output></operation>
          </binding>
          <service name="Bank"><port name="BankSoap12" binding="tns:BankSoap12"><s12:address location="http://bank.example/"/></port></service>
        </definitions>
        """;
}
